/// Callers that are suspended until something happens; each caller can stop waiting alone, through
/// cancellation.
///
/// A lock protects the state, because a cancellation comes from any thread. Each caller takes a
/// number before it can suspend. The body of a cancellation handler may run outside the actor of
/// the caller. So the awaited event or the cancellation may come between the call and the
/// registration.
package final class Waiters: Sendable {
    private struct State {
        var lastID = 0
        /// The last number that has been resumed: all callers up to it are resumed, registered or
        /// not.
        var resumedThrough = 0
        var continuations: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The callers that were cancelled before they were registered.
        var cancelled: Set<Int> = []
    }

    private let state = Locked(State())

    /// Creates a set of waiters that is empty.
    package init() {}

    /// Suspends until ``resumeAll()`` is called or the task is cancelled.
    ///
    /// - Parameter isolation: the actor of the caller; the wait stays on it.
    package func wait(isolation: isolated (any Actor)? = #isolation) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            // Mentioned here so that the closure is isolated to it: a hop to another thread and
            // back costs microseconds.
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

    /// Resumes all waiting callers.
    package func resumeAll() {
        let continuations = state.withLock { state in
            defer { state.continuations = [:] }
            state.resumedThrough = state.lastID
            return state.continuations.values
        }
        for continuation in continuations { continuation.resume() }
    }
}
