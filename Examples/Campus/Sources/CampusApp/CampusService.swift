import CampusAccounts
import CampusModels

/// The operations that need no user, of the API or of a stand-in.
///
/// The errors are `DisplayError`s, in words for users.
protocol CampusService: Sendable {
    func catalog() async throws -> [Product]
    func product(_ id: Product.ID) async throws -> Product

    /// Returns the account of the user who is logged in already; nil if there is none.
    func account() async -> (any Account)?

    /// Returns the reason that the last user was logged out, if the login form must show it.
    func notice() async -> String?

    /// Logs in.
    ///
    /// Calls `onEntry` when the server has accepted the log-in, before tokens are stored.
    func logIn(with request: LoginRequest, onEntry: @escaping @Sendable () async -> Void) async throws -> any Account
}
