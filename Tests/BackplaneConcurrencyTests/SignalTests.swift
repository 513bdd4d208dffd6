import BackplaneConcurrency
import Testing

@Suite(.timeLimit(.minutes(1))) @MainActor struct SignalTests {
    private let signal = Signal()

    @Test func `a wake while nobody sleeps is there for the next who does, once`() async {
        signal.wake()
        signal.wake()
        await signal.sleep()
        var isAwake = false
        let sleeper = Task {
            await signal.sleep()
            isAwake = true
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(!isAwake)
        signal.wake()
        await sleeper.value
    }

    @Test func `who is cancelled before sleeping does not sleep`() async {
        let sleeper = Task { await signal.sleep() }
        sleeper.cancel()
        await sleeper.value
    }
}
