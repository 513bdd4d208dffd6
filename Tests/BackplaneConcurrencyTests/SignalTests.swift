import BackplaneConcurrency
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct SignalTests {
    private let signal = Signal()

    @Test func `a wake without a waiter resumes the next waiter, and no later one`() async {
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

    @Test func `a waiter that is already cancelled does not wait`() async {
        let waiter = Task { await signal.wait() }
        waiter.cancel()
        await waiter.value
    }
}
