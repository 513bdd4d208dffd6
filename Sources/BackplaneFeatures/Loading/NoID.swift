/// The ID of a value that exists only once, such as the signed-in user's profile.
///
/// ```swift
/// let profile = Loader { try await api.profile() }
/// profile.load()
/// ```
public struct NoID: Codable, Hashable, Sendable {
    /// Creates the ID; all are equal.
    public init() {}
}

extension Loader where ID == NoID {
    /// Creates a loader of a value that exists only once, without a value.
    ///
    /// - Parameters:
    ///   - store: the store for its record; loaders with the same store share it. By default the
    ///     loader has a private store.
    ///   - initialValue: the value to show during the first load; `nil` if none is known.
    ///   - load: loads the value; called on the loader's actor, once per load.
    public convenience init(
        store: RecordStore<NoID, Value>? = nil,
        initially initialValue: Value? = nil,
        _ load: @escaping () async throws -> Value
    ) {
        let knownValue = { (_: NoID) in initialValue }
        self.init(store: store, initially: knownValue) { _ in try await load() }
    }

    /// Loads the value on the caller's actor, as ``load(_:on:)`` does.
    ///
    /// - Parameter owner: the actor that the caller is running on.
    /// - Precondition: the caller is running on `owner`.
    public func load(on owner: any Actor = #isolation) {
        load(NoID(), on: owner)
    }
}
