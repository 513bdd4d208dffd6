/// Callers suspended until something happens; each one can give up alone, by being cancelled.
///
/// Behind a lock because cancellation arrives on any thread. Whoever waits takes a number before anything can suspend:
/// the body of a cancellation handler need not run on the caller's actor, so the event, like the cancellation, may come
/// between the call and the registration.
package final class Waiters: Sendable {
    private struct State {
        var lastID = 0
        /// Everyone up to this number has been resumed, registered or not.
        var resumedThrough = 0
        var continuations: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Those cancelled before they were registered.
        var cancelled: Set<Int> = []
    }

    private let state = Locked(State())

    /// Nobody waits yet.
    package init() {}

    /// Suspends until ``resumeAll()`` is called or the task is cancelled.
    ///
    /// - Parameter isolation: the caller's actor, which this does not leave.
    package func wait(isolation: isolated (any Actor)? = #isolation) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            // Mentioned, so that the closure is isolated to it: hopping to another thread and back costs microseconds.
            _ = isolation
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if id <= state.resumedThrough || state.cancelled.contains(id) { return true }
                    state.continuations[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.continuations.removeValue(forKey: id)
                if continuation == nil { state.cancelled.insert(id) }
                return continuation
            }
            continuation?.resume()
        }
        state.withLock { _ = $0.cancelled.remove(id) }
    }

    /// Resumes everyone who waits.
    package func resumeAll() {
        let continuations = state.withLock { state in
            defer { state.continuations = [:] }
            state.resumedThrough = state.lastID
            return state.continuations.values
        }
        for continuation in continuations { continuation.resume() }
    }
}
