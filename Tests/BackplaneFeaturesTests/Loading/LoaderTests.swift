import BackplaneFeatures
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

    @Test(.rule("M8")) func `a load shows its loading state at once and its value later`() async {
        #expect(loader.value == nil)
        loader.load(1)
        #expect(loader.state.isLoading)
        #expect(loader.id == 1)
        answers.answer(0, .success("one"))
        await loader.settled()
        #expect(loader.value == "one")
        #expect(!loader.state.isLoading)
    }

    @Test(.rule("M8")) func `a load failure is shown, and a successful retry replaces the failure`() async {
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

    @Test func `a failed reload keeps the value`() async {
        await load(1, bringing: "one")
        loader.reload()
        #expect(loader.value == "one")
        answers.answer(1, .failure(Failure()))
        await loader.settled()
        #expect(loader.value == "one")
        #expect(loader.state.error is Failure)
    }

    @Test func `a second load of the same ID joins the first load`() async {
        loader.load(1)
        await answers.arrival(0)
        loader.load(1)
        answers.answer(0, .success("one"))
        await loader.settled()
        #expect(answers.calls == [1])
    }

    @Test func `a load of another ID discards the older result, even if the closure ignores cancellation`() async {
        loader.load(1)
        await answers.arrival(0)
        loader.load(2)
        await answers.arrival(1)
        answers.answer(1, .success("two"))
        await loader.settled()
        #expect(loader.value == "two")
        let landing = Watch { [loader] in _ = loader.state }
        answers.answer(0, .success("one"))
        await answers.departure(0)
        #expect(loader.value == "two")
        #expect(landing.count == 0)
        #expect(answers.cancelled == [0])
    }

    @Test func `a load that is superseded before its first step never calls the closure`() async {
        loader.load(1)
        loader.load(2)
        answers.answer(0, .success("two"))
        await loader.settled()
        #expect(answers.calls == [2])
        #expect(loader.value == "two")
    }

    @Test func `cancelling a reload restores the value and cancels the closure's task`() async {
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

    @Test func `a closure that throws CancellationError causes no failure`() async {
        loader.load(1)
        answers.answer(0, .failure(CancellationError()))
        await loader.settled()
        guard case .idle = loader.state else {
            Issue.record("The state is \(loader.state).")
            return
        }
    }

    @Test func `a released loader cancels its load`() async {
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

    @Test func `a loader with a private store keeps only the shown value`() async {
        await load(1, bringing: "one")
        await load(2, bringing: "two")
        loader.load(1)
        #expect(loader.value == nil)
        loader.cancel()
        #expect(loader.value == "two")
    }

    @Test func `a loader that returns to its first ID during the second load still has the value`() async {
        await load(1, bringing: "one")
        loader.load(2)
        #expect(loader.value == nil)
        loader.load(1)
        #expect(loader.value == "one")
        loader.cancel()
        #expect(loader.value == "one")
        #expect(loader.id == 1)
    }

    @Test func `a load of another ID cancels a running reload`() async {
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

    @Test func `every state change is observed once, and a joined load changes nothing`() async {
        let landing = Watch { [loader] in _ = loader.state }
        loader.load(1)
        #expect(landing.count == 1)
        loader.load(1)
        loader.retry()
        #expect(landing.count == 1)
        answers.answer(0, .success("one"))
        await loader.settled()
        #expect(landing.count == 2)
        loader.cancel()
        #expect(landing.count == 2)
    }
}
