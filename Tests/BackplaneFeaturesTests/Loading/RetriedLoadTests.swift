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

    @Test(.rule("C9")) func `a load is retried with its policy, and shows its loading state until the end`() async {
        let loader = makeLoader(RetryPolicy(count: 2, base: .seconds(1)))
        loader.load(1)
        for number in 1...2 {
            await loads.fail(request: number, with: NoAnswer())
            await clock.sleepers(atLeast: 1)
            #expect(loader.state.isLoading)
            clock.advance(by: .seconds(2))
        }
        await loads.fail(request: 3, with: NoAnswer())
        await loader.settled()
        #expect(loader.state.error is NoAnswer)
        #expect(loads.ids.count == 3)
        // Each load has its own budget of retries.
        loader.retry()
        await loads.fail(request: 4, with: NoAnswer())
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(2))
        await loads.succeed(request: 5, with: "one")
        await loader.settled()
        #expect(loader.value == "one")
    }

    @Test func `a rejected load is not retried, and the default policy retries nothing`() async {
        let loader = makeLoader(RetryPolicy(count: 2))
        loader.load(1)
        await loads.fail(request: 1, with: Refused())
        await loader.settled()
        #expect(loader.state.error is Refused)
        let other = Loader<Int, String> { [loads] id in try await loads.load(id) }
        other.load(1)
        await loads.fail(request: 2, with: NoAnswer())
        await other.settled()
        #expect(other.state.error is NoAnswer)
    }

    @Test func `a load that is cancelled between two attempts is not retried`() async {
        let loader = makeLoader(RetryPolicy(count: 2))
        loader.load(1)
        await loads.fail(request: 1, with: NoAnswer())
        await clock.sleepers(atLeast: 1)
        loader.cancel()
        while clock.sleeperCount > 0 { await Task.yield() }
        #expect(loader.id == nil)
        #expect(loads.ids.count == 1)
    }
}
