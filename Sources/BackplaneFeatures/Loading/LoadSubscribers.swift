internal import BackplaneConcurrency

/// The number of loaders that are attached to a record, and their current load; the last loader
/// that leaves cancels it.
///
/// A lock protects the state, because loaders may be released on any thread.
final class LoadSubscribers: Sendable {
    private struct State {
        var count = 0
        var load: Load?
    }

    private struct Load {
        let task: Task<Void, Never>
        let onLeave: OwnerCall
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.count } }

    /// Whether a load is under way that still has loaders, and so was not cancelled.
    var awaitsLoad: Bool { state.withLock { $0.load != nil } }

    func join() {
        state.withLock { $0.count += 1 }
    }

    func leave() {
        let load = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return nil as Load? }
            defer { state.load = nil }
            return state.load
        }
        load?.task.cancel()
        load?.onLeave.later()
    }

    /// Sets the current load and cancels the previous one, or cancels the new load if no loader is
    /// attached.
    ///
    /// - Parameters:
    ///   - task: the task of the load.
    ///   - onLeave: called after the last loader has left, because the load may never end.
    func follow(_ task: Task<Void, Never>, onLeave: OwnerCall) {
        let superfluous = state.withLock { state in
            guard state.count > 0 else { return task as Task<Void, Never>? }
            defer { state.load = Load(task: task, onLeave: onLeave) }
            return state.load?.task
        }
        superfluous?.cancel()
    }

    /// Notes that the load has ended.
    func endLoad() {
        state.withLock { $0.load = nil }
    }

    /// Cancels the load for all attached loaders.
    func cancelLoad() {
        let load = state.withLock { state in
            defer { state.load = nil }
            return state.load
        }
        load?.task.cancel()
    }
}
