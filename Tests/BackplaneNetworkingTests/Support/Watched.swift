import BackplaneConcurrency

/// A value that tests change from any thread, and wait on.
final class Watched<Value: Sendable>: Sendable {
    private struct Watcher: Sendable {
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        var value: Value
        var watchers: [Watcher] = []
    }

    private let state: Locked<State>

    init(_ value: Value) {
        state = Locked(State(value: value))
    }

    var value: Value { state.withLock { $0.value } }

    @discardableResult
    func update<Result>(_ change: (inout Value) -> Result) -> Result {
        let (result, satisfied) = state.withLock { state in
            let result = change(&state.value)
            let satisfied = state.watchers.filter { $0.condition(state.value) }
            state.watchers.removeAll { $0.condition(state.value) }
            return (result, satisfied)
        }
        for watcher in satisfied { watcher.continuation.resume() }
        return result
    }

    /// Suspends until the value meets `condition`.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isSatisfied = state.withLock { state in
                if condition(state.value) { return true }
                state.watchers.append(Watcher(condition: condition, continuation: continuation))
                return false
            }
            if isSatisfied { continuation.resume() }
        }
    }
}
