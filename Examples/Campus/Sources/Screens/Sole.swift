public import BackplaneFeatures

/// The identity of something that there is only one of, so that a `Loader` can load it like anything else.
public enum Sole: Hashable, Sendable {
    /// The one there is.
    case sole
}

extension Loader where ID == Sole {
    /// A loader, at rest, of something that there is only one of.
    public convenience init(_ load: @escaping () async throws -> Value) {
        self.init { _ in try await load() }
    }
}
