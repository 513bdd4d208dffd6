/// An answer that any number of callers wait for; each one can give up alone, by being cancelled.
///
/// The answer is an object, so that all of this has concrete types: to wait takes a third of the time that it takes generic
/// code. Whoever gave the object knows what it is: see ``downcast(_:to:)``.
///
/// Behind a lock because callers come from, and cancellation arrives on, any thread. The continuations are unsafe ones, to which
/// checked ones add a quarter of the time: each is in `waiting` once, and resumed by who takes it out, under the lock.
package final class SharedResult: Sendable {
    private struct State {
        var answer: (any AnyObject & Sendable)?
        var waiting: [Int: UnsafeContinuation<(any AnyObject & Sendable)?, Never>] = [:]
        /// Those cancelled before they waited: `onCancel` may run first.
        var cancelled: Set<Int> = []
    }

    private let state = Locked(State())

    /// There is no answer yet.
    package init() {}

    /// Suspends until there is an answer or the task is cancelled.
    ///
    /// - Parameters:
    ///   - number: the caller's; no other has the same.
    ///   - isolation: the caller's actor, which this does not leave.
    /// - Returns: the answer, at once if there is one; nil when the task is cancelled before.
    package func wait(
        as number: Int,
        isolation: isolated (any Actor)? = #isolation
    ) async -> (any AnyObject & Sendable)? {
        let answer = await withTaskCancellationHandler {
            // Mentioned, so that the closure is isolated to it: hopping to another thread and back costs microseconds.
            _ = isolation
            return await withUnsafeContinuation { continuation in
                var answer: (any AnyObject & Sendable)?
                var isOver = true
                state.withLock { state in
                    answer = state.answer
                    isOver = answer != nil || state.cancelled.contains(number)
                    if !isOver { state.waiting[number] = continuation }
                }
                if isOver { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: number)
                if continuation == nil { state.cancelled.insert(number) }
                return continuation
            }
            continuation?.resume(returning: nil)
        }
        // Nobody who was not cancelled has left a mark.
        if Task.isCancelled { state.withLock { _ = $0.cancelled.remove(number) } }
        return answer
    }

    /// Gives the answer to everyone who waits or will; the first one given counts.
    package func give(_ answer: any AnyObject & Sendable) {
        let continuations = state.withLock { state in
            if state.answer == nil { state.answer = answer }
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in continuations { continuation.resume(returning: answer) }
    }
}
