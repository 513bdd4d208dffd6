/// A signal that one task waits for; ``wake()`` or cancellation ends the wait.
///
/// A lock protects the state, because a cancellation comes from any thread. If no task waits when
/// ``wake()`` is called, the signal keeps the wake-up for the next wait.
package final class Signal: Sendable {
    private enum State: Sendable {
        case idle
        case waiting(CheckedContinuation<Void, Never>)
        case woken
    }

    private let state = Locked(State.idle)

    /// Creates a signal that no task waits for.
    package init() {}

    /// Suspends until ``wake()`` is called or the task is cancelled; only one task may wait at a
    /// time.
    ///
    /// - Parameter isolation: the actor of the caller; the wait stays on it.
    package func wait(isolation: isolated (any Actor)? = #isolation) async {
        await withTaskCancellationHandler {
            // Mentioned here so that the closure is isolated to it: a hop to another thread and
            // back costs microseconds.
            _ = isolation
            await withCheckedContinuation { continuation in
                let isWoken = state.withLock { state in
                    switch state {
                    case .idle:
                        state = .waiting(continuation)
                        return false
                    case .woken:
                        state = .idle
                        return true
                    case .waiting: preconditionFailure("Two tasks read one sequence. Read it from one task.")
                    }
                }
                if isWoken { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    /// Wakes the waiting task, or the next task that waits.
    package func wake() {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            if case .waiting(let waiter) = state {
                state = .idle
                return waiter
            }
            state = .woken
            return nil
        }
        waiter?.resume()
    }
}
