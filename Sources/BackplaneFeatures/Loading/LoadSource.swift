/// The source of a loader's values.
struct LoadSource<ID: Hashable, Value> {
    /// Loads the value of an ID, possibly by joining a running load.
    let load: (ID, LoadShare) async throws -> Value
    /// Loads the value of an ID with a new load.
    let reload: (ID, LoadShare) async throws -> Value
    /// Whether a load may join a load of other callers.
    let isShared: Bool
    /// Marks the earlier loads of an ID as out of date; keeps no object alive.
    let invalidate: (ID) -> Void

    /// Creates a source from a closure that starts a separate load each time.
    init(_ load: @escaping (ID) async throws -> Value) {
        self.load = { id, _ in try await load(id) }
        reload = self.load
        isShared = false
        invalidate = { _ in }
    }

    /// Creates a source from loads that other callers share.
    init(_ loads: SharedLoads<ID, Value>) where ID: Sendable, Value: Sendable {
        load = { id, share in try await loads.value(for: id, isReload: false, as: share) }
        reload = { id, share in try await loads.value(for: id, isReload: true, as: share) }
        isShared = true
        // If `loads` no longer exists, no caller can join its loads.
        invalidate = { [weak loads] id in loads?.invalidate(id) }
    }
}

/// The part of a record in a load that other callers may share.
final class LoadShare {
    /// Ends the load for all its callers; `nil` until the load is requested.
    var end: (() -> Void)?
}
