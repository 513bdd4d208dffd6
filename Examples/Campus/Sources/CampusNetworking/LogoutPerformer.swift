public import BackplaneNetworking

/// Logs a user out: here at once, and then at the server.
public struct LogoutPerformer: Sendable {
    private let networking: AuthenticatedNetworkController

    /// A performer that logs out whoever `networking` acts for.
    public init(networking: AuthenticatedNetworkController) {
        self.networking = networking
    }

    /// Ends the session.
    ///
    /// What was under way for the user fails, and no later request carries the user's tokens.
    ///
    /// - Throws: `NetworkError` when the server could not be told; the user is logged out here all the same.
    public func logout() async throws {
        try await networking.signOut(revokingWith: { .logout($0) })
    }
}
