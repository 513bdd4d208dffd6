import BackplaneConcurrency
import BackplaneTesting
import CJobQueue
import Foundation

/// Tasks that run one job at a time on one thread, in an order that a seed decides, with a clock that moves when nothing else
/// can happen.
///
/// Everything that begins in ``start(_:)`` belongs to it: tasks, actors, continuations, and whatever the code under test makes
/// of them. With the same seed the same happens again, except for the length of pauses between two tries, which the code under
/// test draws by itself. That code must sleep on ``clock``, and must not call `Task.yield()`, which leaves the thread;
/// ``pause()`` does its work.
struct SeededExecution {
    let clock = ManualClock()
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Runs `trace` on a thread of its own, for whose jobs alone the order is decided.
    static func onThread<Result: Sendable>(_ trace: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: trace()) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Begins a task; it runs in ``drain()``.
    func start(_ operation: @escaping @Sendable () async -> Void) {
        job_queue_open()
        Task.detached { await operation() }
    }

    /// Runs jobs until none is left and nobody sleeps; returns whether that comes to pass.
    mutating func drain() -> Bool {
        job_queue_open()
        defer { job_queue_close() }
        var steps = 0
        repeat {
            while job_queue_count() > 0 {
                job_queue_run(Int.random(in: 0..<job_queue_count(), using: &generator))
                // Time passes while there is work, too, if slowly.
                if generator.chance(2) { clock.advance(by: .milliseconds(1)) }
                steps += 1
                if steps == 100_000 { return false }
            }
        } while clock.advanceToNextSleeper()
        return true
    }

    /// Waits until the trace's clock has moved by `duration`, even if the caller is cancelled.
    static func letPass(_ duration: Duration, on clock: ManualClock) async {
        await withCheckedContinuation { continuation in
            Task.detached {
                try? await clock.sleep(for: duration)
                continuation.resume()
            }
        }
    }

    /// Lets others run.
    static func pause() async {
        await withCheckedContinuation { continuation in
            Task.detached { continuation.resume() }
        }
    }
}
