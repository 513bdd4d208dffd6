public import CampusModels

/// Keeps the user who is signed in, and brings it up to date.
///
/// It exists only while somebody is signed in, made when the user has been loaded; so ``user`` is never missing, and what
/// needs a user asks for a manager rather than checking for one.
public actor UserManager {
    /// The user as last loaded.
    public private(set) var user: User

    private let loader: UserLoader

    /// A manager of a user that has been loaded.
    public init(user: User, loader: UserLoader) {
        self.user = user
        self.loader = loader
    }

    /// Loads the user anew; when that fails, ``user`` stays as it is.
    ///
    /// - Returns: the user as it is now.
    /// - Throws: `NetworkError`.
    @discardableResult
    public func sync() async throws -> User {
        user = try await loader.loadUser()
        return user
    }
}
