/// Where the values of a loader come from.
struct LoadSource<ID: Hashable, Value> {
    /// Brings the value of an ID.
    let load: (ID) async throws -> Value
    /// Brings the value of an ID as it is from now on.
    let reload: (ID) async throws -> Value
    /// What has been asked for so far is out of date.
    let invalidate: (ID) -> Void

    /// A closure that begins a load of its own each time.
    init(_ load: @escaping (ID) async throws -> Value) {
        self.load = load
        reload = load
        invalidate = { _ in }
    }

    /// Loads that others have a part in.
    init(_ loads: SharedLoads<ID, Value>) where ID: Sendable, Value: Sendable {
        load = { id in try await loads.value(for: id) }
        reload = { id in try await loads.reload(id) }
        invalidate = { id in loads.invalidate(id) }
    }
}
