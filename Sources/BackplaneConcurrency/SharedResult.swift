/// A result that any number of callers wait for; each caller can stop waiting alone, through
/// cancellation.
///
/// The result is an object, so all types here are concrete: a wait takes a third of the time of
/// generic code. The code that gives the object knows its type: see ``uncheckedDowncast(_:to:)``.
///
/// A lock protects the state, because callers and cancellations come from any thread. The
/// continuations are unsafe ones, because checked ones add a quarter of the time. Each continuation
/// is in `waiting` once, and the code that removes it under the lock resumes it.
package final class SharedResult: Sendable {
    private struct State {
        var result: (any AnyObject & Sendable)?
        var waiting: [Int: UnsafeContinuation<(any AnyObject & Sendable)?, Never>] = [:]
        /// The callers that were cancelled before they started to wait, because `onCancel` may run
        /// first.
        var cancelled: Set<Int> = []
    }

    private let state = Locked(State())

    /// Creates a result that is not available yet.
    package init() {}

    /// Suspends until the result is available or the task is cancelled.
    ///
    /// - Parameters:
    ///   - number: the number of the caller, which no other caller has.
    ///   - isolation: the actor of the caller; the wait stays on it.
    /// - Returns: the result, at once if it is available; `nil` if the task is cancelled first.
    package func wait(
        as number: Int,
        isolation: isolated (any Actor)? = #isolation
    ) async -> (any AnyObject & Sendable)? {
        let result = await withTaskCancellationHandler {
            // Mentioned here so that the closure is isolated to it: a hop to another thread and
            // back costs microseconds.
            _ = isolation
            return await withUnsafeContinuation { continuation in
                var result: (any AnyObject & Sendable)?
                var isOver = true
                state.withLock { state in
                    result = state.result
                    isOver = result != nil || state.cancelled.contains(number)
                    if !isOver { state.waiting[number] = continuation }
                }
                if isOver { continuation.resume(returning: result) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: number)
                if continuation == nil { state.cancelled.insert(number) }
                return continuation
            }
            continuation?.resume(returning: nil)
        }
        // Only a cancelled caller leaves its number in the set.
        if Task.isCancelled { state.withLock { _ = $0.cancelled.remove(number) } }
        return result
    }

    /// Gives the result to all current and future callers; only the first result counts.
    package func resolve(_ result: any AnyObject & Sendable) {
        let continuations = state.withLock { state in
            if state.result == nil { state.result = result }
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in continuations { continuation.resume(returning: result) }
    }
}

/// A value as the object that a ``SharedResult`` gives to its callers.
package final class Box<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
