private import Dispatch

/// The executor of an actor whose work blocks its thread, such as calls into a C library.
///
/// The threads of the common pool are as many as there are cores, so work that blocks one of them
/// can stop a whole process. This executor runs its actor on a queue with threads of its own, one
/// job at a time.
package final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Creates an executor; debuggers show `label`.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The queue holds the executor until the job has run, even if the job releases the actor.
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
