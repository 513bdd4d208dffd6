import BackplaneConcurrency
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct SignalTests {
    private let signal = Signal()

    @Test func `a wake while nobody waits is there for the next who does, once`() async {
        signal.wake()
        signal.wake()
        await signal.wait()
        var isAwake = false
        let waiter = Task {
            await signal.wait()
            isAwake = true
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(!isAwake)
        signal.wake()
        await waiter.value
    }

    @Test func `who is cancelled before waiting does not wait`() async {
        let waiter = Task { await signal.wait() }
        waiter.cancel()
        await waiter.value
    }
}
