import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

@MainActor @Suite(.timeLimit(.minutes(5))) struct RetriedLoadTests {
    private let clock = ManualClock()
    private let loads = LoadStub<Int, String>()

    private func makeLoader(_ retries: RetryPolicy) -> Loader<Int, String> {
        let store = RecordStore<Int, String>(loadRetries: retries, clock: clock)
        return Loader(store: store) { [loads] id in try await loads.load(id) }
    }

    @Test(.rule("C9")) func `a load is retried as its policy allows, and shows its loading state until the end`() async
    {
        let loader = makeLoader(RetryPolicy(count: 2, base: .seconds(1)))
        loader.load(1)
        for number in 1...2 {
            await loads.requests(atLeast: number)
            loads.fail(with: NoAnswer())
            await clock.sleepers(atLeast: 1)
            #expect(loader.state.isLoading)
            clock.advance(by: .seconds(2))
        }
        await loads.requests(atLeast: 3)
        loads.fail(with: NoAnswer())
        await loader.settled()
        #expect(loader.state.error is NoAnswer)
        #expect(loads.ids.count == 3)
        // Each load has its own budget of retries.
        loader.retry()
        await loads.requests(atLeast: 4)
        loads.fail(with: NoAnswer())
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(2))
        await loads.requests(atLeast: 5)
        loads.succeed(with: "one")
        await loader.settled()
        #expect(loader.value == "one")
    }

    @Test func `a rejected load is not retried, and the default policy retries nothing`() async {
        let loader = makeLoader(RetryPolicy(count: 2))
        loader.load(1)
        await loads.requests(atLeast: 1)
        loads.fail(with: Refused())
        await loader.settled()
        #expect(loader.state.error is Refused)
        let other = Loader<Int, String> { [loads] id in try await loads.load(id) }
        other.load(1)
        await loads.requests(atLeast: 2)
        loads.fail(with: NoAnswer())
        await other.settled()
        #expect(other.state.error is NoAnswer)
    }

    @Test func `a load that is cancelled between two attempts is not retried`() async {
        let loader = makeLoader(RetryPolicy(count: 2))
        loader.load(1)
        await loads.requests(atLeast: 1)
        loads.fail(with: NoAnswer())
        await clock.sleepers(atLeast: 1)
        loader.cancel()
        while clock.sleeperCount > 0 { await Task.yield() }
        #expect(loader.id == nil)
        #expect(loads.ids.count == 1)
    }
}
