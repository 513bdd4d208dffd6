internal import BackplaneConcurrency

/// How many loaders are attached to a record, and the load that is under way for them: it is cancelled when the last one leaves.
///
/// Behind a lock because loaders may be let go of anywhere.
final class LoadSubscribers: Sendable {
    private struct State {
        var count = 0
        var load: Task<Void, Never>?
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.count } }

    /// Whether a load is under way that has not been cancelled for want of loaders.
    var awaitsLoad: Bool { state.withLock { $0.load != nil } }

    func join() {
        state.withLock { $0.count += 1 }
    }

    func leave() {
        let load = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return nil as Task<Void, Never>? }
            defer { state.load = nil }
            return state.load
        }
        load?.cancel()
    }

    /// A load has started, instead of the one under way, if any.
    func follow(_ load: Task<Void, Never>) {
        let superfluous = state.withLock { state in
            guard state.count > 0 else { return load as Task<Void, Never>? }
            defer { state.load = load }
            return state.load
        }
        superfluous?.cancel()
    }

    /// The load has ended.
    func endLoad() {
        state.withLock { $0.load = nil }
    }

    /// Ends the load for those who are there.
    func cancelLoad() {
        let load = state.withLock { state in
            defer { state.load = nil }
            return state.load
        }
        load?.cancel()
    }
}
