import BackplaneFeatures
import Observation
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct LoaderTests {
    private let answers = Answers()
    private let loader: Loader<Int, String>

    init() {
        loader = Loader { [answers] id in try await answers.load(id) }
    }

    private func load(_ id: Int, bringing value: String) async {
        loader.load(id)
        answers.answer(answers.calls.count, .success(value))
        await loader.settled()
    }

    @Test(.rule("M8")) func `a load shows that it is loading at once, then its value`() async {
        #expect(loader.value == nil)
        loader.load(1)
        #expect(loader.state.isLoading)
        #expect(loader.id == 1)
        answers.answer(0, .success("one"))
        await loader.settled()
        #expect(loader.value == "one")
        #expect(!loader.state.isLoading)
    }

    @Test(.rule("M8")) func `a failure is shown and heals by a retry`() async {
        loader.load(1)
        answers.answer(0, .failure(Failure()))
        await loader.settled()
        #expect(loader.state.error is Failure)
        loader.retry()
        #expect(loader.state.isLoading)
        answers.answer(1, .success("one"))
        await loader.settled()
        #expect(loader.value == "one")
        #expect(answers.calls == [1, 1])
    }

    @Test func `a reload that fails keeps the value`() async {
        await load(1, bringing: "one")
        loader.reload()
        #expect(loader.value == "one")
        answers.answer(1, .failure(Failure()))
        await loader.settled()
        #expect(loader.value == "one")
        #expect(loader.state.error is Failure)
    }

    @Test func `loading the same ID again joins, and the closure is called once`() async {
        loader.load(1)
        await answers.arrival(0)
        loader.load(1)
        answers.answer(0, .success("one"))
        await loader.settled()
        #expect(answers.calls == [1])
    }

    @Test func `another ID supersedes, and the older result never lands though its closure ignores cancellation`() async
    {
        loader.load(1)
        await answers.arrival(0)
        loader.load(2)
        await answers.arrival(1)
        answers.answer(1, .success("two"))
        await loader.settled()
        #expect(loader.value == "two")
        let landing = Landing()
        landing.watch(loader)
        answers.answer(0, .success("one"))
        await answers.departure(0)
        #expect(loader.value == "two")
        #expect(landing.count == 0)
        #expect(answers.cancelled == [0])
    }

    @Test func `a load superseded before its first step never reaches the closure`() async {
        loader.load(1)
        loader.load(2)
        answers.answer(0, .success("two"))
        await loader.settled()
        #expect(answers.calls == [2])
        #expect(loader.value == "two")
    }

    @Test func `cancelling goes back to the value and cancels the closure's task`() async {
        await load(1, bringing: "one")
        loader.reload()
        await answers.arrival(1)
        loader.cancel()
        #expect(loader.value == "one")
        #expect(!loader.state.isLoading)
        await loader.settled()
        answers.answer(1, .success("late"))
        await answers.departure(1)
        #expect(loader.value == "one")
        #expect(answers.cancelled == [1])
    }

    @Test func `a closure that throws CancellationError leaves no failure behind`() async {
        loader.load(1)
        answers.answer(0, .failure(CancellationError()))
        await loader.settled()
        guard case .idle = loader.state else {
            Issue.record("The state is \(loader.state).")
            return
        }
    }

    @Test func `a loader that goes away cancels its load`() async {
        var loader: Loader<Int, String>? = Loader { [answers] id in try await answers.load(id) }
        weak var gone: Loader<Int, String>?
        gone = loader
        loader?.load(1)
        await answers.arrival(0)
        loader = nil
        #expect(gone == nil)
        answers.answer(0, .success("late"))
        await answers.departure(0)
        #expect(answers.cancelled == [0])
    }

    @Test func `a loader of its own keeps no value but the one that it shows`() async {
        await load(1, bringing: "one")
        await load(2, bringing: "two")
        loader.load(1)
        #expect(loader.value == nil)
        loader.cancel()
        #expect(loader.value == "two")
    }

    @Test func `back at the first ID before the second has loaded, its value is there`() async {
        await load(1, bringing: "one")
        loader.load(2)
        #expect(loader.value == nil)
        loader.load(1)
        #expect(loader.value == "one")
        loader.cancel()
        #expect(loader.value == "one")
        #expect(loader.id == 1)
    }

    @Test func `a reload is cancelled by another ID`() async {
        await load(1, bringing: "one")
        loader.reload()
        await answers.arrival(1)
        loader.load(2)
        answers.answer(1, .success("late"))
        await answers.departure(1)
        #expect(answers.cancelled == [1])
        loader.cancel()
        #expect(loader.value == "one")
        #expect(!loader.state.isLoading)
    }

    @Test func `every change is observed once, and joining is none`() async {
        let landing = Landing()
        landing.watch(loader)
        loader.load(1)
        #expect(landing.count == 1)
        landing.watch(loader)
        loader.load(1)
        loader.retry()
        #expect(landing.count == 1)
        answers.answer(0, .success("one"))
        await loader.settled()
        #expect(landing.count == 2)
        landing.watch(loader)
        loader.cancel()
        #expect(landing.count == 2)
    }
}

/// Counts the changes of a loader's state, one for each time that it watches.
@MainActor private final class Landing {
    private(set) var count = 0

    func watch(_ loader: Loader<Int, String>) {
        withObservationTracking {
            _ = loader.state
        } onChange: {
            MainActor.assumeIsolated { self.count += 1 }
        }
    }
}
