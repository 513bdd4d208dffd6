import BackplaneConcurrency

/// A value that any thread can change, and that callers can wait on.
package final class Watched<Value: Sendable>: Sendable {
    private struct Watcher: Sendable {
        let condition: @Sendable (Value) -> Bool
        let met: AsyncStream<Void>.Continuation
    }

    private struct State: Sendable {
        var value: Value
        var watchers: [Watcher] = []
    }

    private let state: Locked<State>

    package init(_ value: Value) {
        state = Locked(State(value: value))
    }

    package var value: Value { state.withLock { $0.value } }

    @discardableResult
    package func update<Result>(_ change: (inout Value) -> Result) -> Result {
        let (result, satisfied) = state.withLock { state in
            let result = change(&state.value)
            let satisfied = state.watchers.filter { $0.condition(state.value) }
            state.watchers.removeAll { $0.condition(state.value) }
            return (result, satisfied)
        }
        for watcher in satisfied { watcher.met.finish() }
        return result
    }

    /// Suspends until the value meets `condition` or the task is cancelled.
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        let (stream, met) = AsyncStream<Void>.makeStream()
        let isSatisfied = state.withLock { state in
            if condition(state.value) { return true }
            state.watchers.append(Watcher(condition: condition, met: met))
            return false
        }
        if isSatisfied { return }
        for await _ in stream {}
    }
}
