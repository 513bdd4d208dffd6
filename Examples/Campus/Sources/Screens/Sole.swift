public import BackplaneFeatures

/// The ID of a value that exists only once, so that a `Loader` can load it like any other value.
public enum Sole: Hashable, Sendable {
    /// The only value of the type.
    case sole
}

extension Loader where ID == Sole {
    /// Creates a loader of a value that exists only once; it does not load yet.
    public convenience init(_ load: @escaping () async throws -> Value) {
        self.init { _ in try await load() }
    }
}
