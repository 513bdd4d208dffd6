/// The source of a loader's values.
struct LoadSource<ID: Hashable, Value> {
    /// Loads the value of an ID, with the load that the demand allows.
    let load: (ID, LoadDemand, LoadShare) async throws -> Value
    /// Whether a load may join a load of other callers.
    let isShared: Bool
    /// Marks the earlier loads of an ID as out of date; keeps no object alive.
    let invalidate: (ID) -> Void

    /// Creates a source from a closure that starts a separate load each time.
    init(_ load: @escaping (ID) async throws -> Value) {
        self.load = { id, _, _ in try await load(id) }
        isShared = false
        invalidate = { _ in }
    }

    /// Creates a source from loads that other callers share.
    init(_ loads: SharedLoads<ID, Value>) where ID: Sendable, Value: Sendable {
        load = { id, demand, share in try await loads.value(for: id, demand, as: share) }
        isShared = true
        // If `loads` no longer exists, no caller can join its loads.
        invalidate = { [weak loads] id in loads?.invalidate(id) }
    }
}

/// The loads of other callers that satisfy a caller.
package enum LoadDemand {
    /// Any load that no settlement has made outdated.
    case join
    /// A load that the caller has not known before, because the signal to refresh reaches all
    /// windows (A30), and a load from before the signal may hang.
    case refresh
    /// No load, because it may have begun before the reason to reload.
    case reload
}

/// The part of a record in a load that other callers may share.
final class LoadShare {
    /// Ends the load for all its callers; `nil` until the load is requested.
    var end: (() -> Void)?
    /// The number of the last load that the record knows of.
    var lastKnown: Int

    init(after lastKnown: Int = 0) {
        self.lastKnown = lastKnown
    }
}
