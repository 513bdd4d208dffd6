public import BackplaneNetworking

/// A performer of log-outs, which signs the user out locally at once, and then at the server.
public struct LogoutPerformer: Sendable {
    private let networking: AuthenticatedNetworkController

    /// Creates a performer that logs out the user of `networking`.
    public init(networking: AuthenticatedNetworkController) {
        self.networking = networking
    }

    /// Ends the session.
    ///
    /// The user's requests that are under way fail, and no later request carries the user's tokens.
    ///
    /// - Throws: `NetworkError` if the server cannot be reached; the user is still logged out
    ///   locally.
    public func logout() async throws {
        try await networking.signOut(revokingWith: { .logout($0) })
    }
}
