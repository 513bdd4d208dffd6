public import BackplaneNetworking
public import CampusModels

/// Signs a user in; it keeps no state, so whoever needs the tokens of a sign-in can use it.
public struct LoginPerformer: Sendable {
    private let networking: NonAuthenticatedNetworkController
    private let client: String?
    private let findForwarded: @Sendable () async -> ForwardedClient?

    /// Creates a performer.
    ///
    /// - Parameters:
    ///   - networking: the controller that sends the request.
    ///   - client: the client's name, which the server shows in the user's list of sessions.
    ///   - forwarded: returns the user's client as the server may know it.
    public init(
        networking: NonAuthenticatedNetworkController,
        client: String? = nil,
        forwarded: @escaping @Sendable () async -> ForwardedClient? = { nil }
    ) {
        self.networking = networking
        self.client = client
        findForwarded = forwarded
    }

    /// Returns the tokens of a new session of the user.
    public func login(using credentials: LoginRequest) async throws -> NetworkTokens {
        try await networking.request(.login(credentials, client: client, forwarded: findForwarded()))
    }
}

/// Loads the user whose tokens its controller has.
public struct UserLoader: Sendable {
    private let networking: AuthenticatedNetworkController

    /// Creates a loader that sends its request through this controller.
    public init(networking: AuthenticatedNetworkController) {
        self.networking = networking
    }

    /// Loads the user.
    public func loadUser() async throws -> User { try await networking.request(.me) }
}

/// Ends the session whose tokens its controller has, at the server.
public struct LogoutPerformer: Sendable {
    private let networking: AuthenticatedNetworkController

    /// Creates a performer that sends its request through this controller.
    public init(networking: AuthenticatedNetworkController) {
        self.networking = networking
    }

    /// Ends the session, without waiting for it.
    ///
    /// - Parameters:
    ///   - isolation: the actor that calls the handler; keep the default.
    ///   - handler: receives the outcome.
    public func logout(isolation: isolated any Actor = #isolation, then handler: @escaping NetworkResultHandler<Void>) {
        networking.request(.logout, isolation: isolation, then: handler)
    }
}
