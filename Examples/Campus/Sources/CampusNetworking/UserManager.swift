public import CampusModels

/// A manager that keeps the signed-in user up to date.
///
/// It is created with a loaded user, and exists only while that user is signed in. So ``user`` is
/// never missing. Code that needs a user takes a manager and does not have to check for a user.
public actor UserManager {
    /// The user as last loaded.
    public private(set) var user: User

    private let loader: UserLoader

    /// Creates a manager for a loaded user.
    public init(user: User, loader: UserLoader) {
        self.user = user
        self.loader = loader
    }

    /// Loads the user again; if that fails, ``user`` does not change.
    ///
    /// - Returns: the current user.
    /// - Throws: `NetworkError`.
    @discardableResult
    public func sync() async throws -> User {
        user = try await loader.loadUser()
        return user
    }
}
