public import CampusAccounts
public import CampusModels

/// The operations that need no user, of the API or of a stand-in.
///
/// The errors are `LocalizedError`s with texts for users.
public protocol CampusService: Sendable {
    /// Loads the products of the campus shop.
    func catalog() async throws -> [Product]
    /// Loads a product of the campus shop.
    func product(_ id: Product.ID) async throws -> Product

    /// Returns the account of the signed-in user; `nil` if no user is signed in.
    func account() async -> (any Account)?

    /// Returns the reason for the sign-out of the last user, if the login form must show it.
    func notice() async -> String?

    /// Signs in.
    ///
    /// Calls `onEntry` when the server accepts the sign-in, before tokens are stored.
    func signIn(with request: LoginRequest, onEntry: @escaping @Sendable () async -> Void) async throws -> any Account
}
