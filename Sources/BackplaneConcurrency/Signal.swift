/// Lets one task wait until it is woken: by ``wake()``, or by being cancelled.
///
/// Behind a lock because cancellation arrives on any thread. A wake-up that comes when nobody waits is kept for the next.
package final class Signal: Sendable {
    private enum State: Sendable {
        case idle
        case waiting(CheckedContinuation<Void, Never>)
        case woken
    }

    private let state = Locked(State.idle)

    /// Nobody waits yet.
    package init() {}

    /// Suspends until ``wake()`` is called or the task is cancelled; only one task may wait at a time.
    ///
    /// - Parameter isolation: the caller's actor, which this does not leave.
    package func wait(isolation: isolated (any Actor)? = #isolation) async {
        await withTaskCancellationHandler {
            // Mentioned, so that the closure is isolated to it: hopping to another thread and back costs microseconds.
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
                    case .waiting: preconditionFailure("Two tasks read one sequence; read it once.")
                    }
                }
                if isWoken { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    /// Wakes the one who waits, or the next who would.
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
