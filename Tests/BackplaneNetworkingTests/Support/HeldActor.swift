import BackplaneNetworking
import BackplaneTesting
import Dispatch

/// An actor whose steps wait while a test holds it.
actor HeldActor {
    private let executor = HeldExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run<Value: Sendable>(_ work: sending () async throws -> Value) async throws -> Value {
        try await work()
    }

    /// Returns when the steps have run that were ready before.
    func pass() {}

    /// Runs no further step, until the returned closure is called.
    nonisolated func hold() -> @Sendable () -> Void {
        executor.queue.suspend()
        return { [executor] in executor.queue.resume() }
    }

    /// Waits for a further step that is ready to run.
    nonisolated func step(after steps: Int) async {
        await executor.steps.wait { $0 > steps }
    }

    /// The number of steps that have been ready to run.
    nonisolated var steps: Int { executor.steps.value }
}

private final class HeldExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "held")
    let steps = Watched(0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        steps.update { $0 += 1 }
    }
}
