import BackplaneFeatures
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct LoaderSettledTests {
    private let answers = Answers()
    private let loader: Loader<Int, String>

    init() {
        loader = Loader { [answers] id in try await answers.load(id) }
    }

    @Test func `an idle loader is already settled`() async {
        await loader.settled()
        #expect(loader.value == nil)
    }

    @Test func `every waiting caller resumes once when the load ends`() async {
        loader.load(1)
        let waiters = (0..<100).map { _ in
            Task { [loader] in
                await loader.settled()
                return loader.value
            }
        }
        await answers.arrival(0)
        answers.answer(0, .success("one"))
        for waiter in waiters { #expect(await waiter.value == "one") }
    }

    @Test func `a cancelled waiter returns at once, and the load and the other waiters continue`() async {
        loader.load(1)
        let patient = Task { [loader] in
            await loader.settled()
            return loader.value
        }
        let impatient = Task { [loader] in
            await loader.settled()
            return loader.state.isLoading
        }
        await answers.arrival(0)
        impatient.cancel()
        #expect(await impatient.value)
        answers.answer(0, .success("one"))
        #expect(await patient.value == "one")
    }

    @Test func `a waiter that is already cancelled returns at once`() async {
        loader.load(1)
        let waiter = Task { [loader] in await loader.settled() }
        waiter.cancel()
        await waiter.value
        #expect(loader.state.isLoading)
        loader.cancel()
    }

    @Test func `a superseded load does not end the wait`() async {
        loader.load(1)
        await answers.arrival(0)
        let waiter = Task { [loader] in
            await loader.settled()
            return loader.value
        }
        loader.load(2)
        answers.answer(0, .success("one"))
        await answers.departure(0)
        answers.answer(1, .success("two"))
        #expect(await waiter.value == "two")
    }

    @Test func `a cancelled load ends the wait`() async {
        loader.load(1)
        await answers.arrival(0)
        let waiter = Task { [loader] in await loader.settled() }
        let isWaiting = Task {}
        await isWaiting.value
        loader.cancel()
        await waiter.value
        answers.answer(0, .success("late"))
    }
}
