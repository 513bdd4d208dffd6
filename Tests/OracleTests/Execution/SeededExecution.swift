import BackplaneConcurrency
import BackplaneTesting
import CJobQueue
import Foundation
import TestSupport

/// A deterministic execution of tasks: one thread, one job at a time, in an order that a seed
/// decides.
///
/// The clock advances when no other job can run.
///
/// All work that begins in ``start(_:)`` belongs to the execution: tasks, actors, continuations and
/// the tasks that the code under test creates. The same seed repeats the same execution, except for
/// the random delays between retries in the code under test. The code under test must sleep on
/// ``clock``. It must call ``pause()`` instead of `Task.yield()`, which leaves the thread.
struct SeededExecution {
    let clock = ManualClock()
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Runs `trace` on its own thread.
    ///
    /// The execution decides the order of the jobs of that thread only.
    static func onThread<Result: Sendable>(_ trace: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: trace()) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Starts a task that runs in ``drain()``.
    func start(_ operation: @escaping @Sendable () async -> Void) {
        job_queue_open()
        Task.detached { await operation() }
    }

    /// Runs jobs until no job and no sleeper is left, and returns whether this succeeds.
    mutating func drain() -> Bool {
        job_queue_open()
        defer { job_queue_close() }
        var steps = 0
        repeat {
            while job_queue_count() > 0 {
                job_queue_run(Int.random(in: 0..<job_queue_count(), using: &generator))
                // Time also passes slowly while there is work.
                if generator.chance(2) { clock.advance(by: .milliseconds(1)) }
                steps += 1
                if steps == 100_000 { return false }
            }
        } while clock.advanceToNextSleeper()
        return true
    }

    /// Runs jobs until no job is left, while the clock stands still, and returns whether this
    /// succeeds.
    mutating func rest() -> Bool {
        job_queue_open()
        defer { job_queue_close() }
        var steps = 0
        while job_queue_count() > 0 {
            job_queue_run(Int.random(in: 0..<job_queue_count(), using: &generator))
            steps += 1
            if steps == 100_000 { return false }
        }
        return true
    }

    /// Waits until the trace's clock has advanced by `duration`, even if the caller is cancelled.
    static func letPass(_ duration: Duration, on clock: ManualClock) async {
        await withCheckedContinuation { continuation in
            Task.detached {
                try? await clock.sleep(for: duration)
                continuation.resume()
            }
        }
    }

    /// Suspends the caller so that other jobs can run.
    static func pause() async {
        await withCheckedContinuation { continuation in
            Task.detached { continuation.resume() }
        }
    }
}
