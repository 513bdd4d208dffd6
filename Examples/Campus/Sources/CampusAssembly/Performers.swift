import BackplaneNetworking
import CampusModels
import CampusNetworking

/// Signs a user in; it keeps no state, so all code that needs the tokens of a sign-in can use it.
struct LoginPerformer {
    let networking: NonAuthenticatedNetworkController
    /// The client's name, which the server shows in the user's list of sessions.
    let client: String?
    /// Returns the user's client as the server may know it.
    let forwarded: @Sendable () async -> ForwardedClient?

    /// Returns the tokens of a new session of the user.
    func login(using credentials: LoginRequest) async throws -> NetworkTokens {
        try await networking.request(.login(credentials, client: client, forwarded: forwarded()))
    }
}

/// Loads the user whose tokens its controller has.
struct UserLoader {
    let networking: AuthenticatedNetworkController

    func loadUser() async throws -> User { try await networking.request(.me) }
}

/// Ends the session whose tokens its controller has, at the server.
struct LogoutPerformer {
    let networking: AuthenticatedNetworkController

    /// Ends the session, and calls `handler` with the outcome on the caller's actor.
    func logout(isolation: isolated any Actor = #isolation, then handler: @escaping NetworkResultHandler<Void>) {
        networking.request(.logout, isolation: isolation, then: handler)
    }
}
