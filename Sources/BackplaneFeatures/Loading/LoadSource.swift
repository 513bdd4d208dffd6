/// Where the values of a loader come from.
struct LoadSource<ID: Hashable, Value> {
    /// Brings the value of an ID.
    let load: (ID, LoadShare) async throws -> Value
    /// Brings the value of an ID as it is from now on.
    let reload: (ID, LoadShare) async throws -> Value
    /// Whether others may have begun a load that is joined.
    let isShared: Bool
    /// What has been asked for so far is out of date; keeps nothing alive.
    let invalidate: (ID) -> Void

    /// A closure that begins a load of its own each time.
    init(_ load: @escaping (ID) async throws -> Value) {
        self.load = { id, _ in try await load(id) }
        reload = self.load
        isShared = false
        invalidate = { _ in }
    }

    /// Loads that others have a part in.
    init(_ loads: SharedLoads<ID, Value>) where ID: Sendable, Value: Sendable {
        load = { id, share in try await loads.value(for: id, isReload: false, as: share) }
        reload = { id, share in try await loads.value(for: id, isReload: true, as: share) }
        isShared = true
        // Nobody can join loads that nobody holds.
        invalidate = { [weak loads] id in loads?.invalidate(id) }
    }
}

/// The part that a record has in a load that others may have a part in too.
final class LoadShare {
    /// Ends the load for all its callers; nil as long as it has not been asked for.
    var end: (() -> Void)?
}
