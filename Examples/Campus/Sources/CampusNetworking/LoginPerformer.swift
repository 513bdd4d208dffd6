public import BackplaneNetworking
public import CampusModels

/// A performer of log-ins, which only returns the tokens and leaves their use to the caller.
public struct LoginPerformer: Sendable {
    private let networking: NonAuthenticatedNetworkController

    /// Creates a performer that uses the server of `networking`.
    public init(networking: NonAuthenticatedNetworkController) {
        self.networking = networking
    }

    /// Logs a user in and returns the tokens.
    ///
    /// - Parameters:
    ///   - request: the user's e-mail address and password.
    ///   - client: the client's name for `User-Agent`; if `nil`, the HTTP client sends its own.
    ///   - forwarded: the client's address, and the key that lets the API believe it; if `nil`, the
    ///     API limits log-ins by the address of the connection.
    /// - Returns: the tokens.
    /// - Throws: `NetworkError`; its code is `unauthorized` if the address or the password is
    ///   wrong.
    public func login(
        using request: LoginRequest,
        client: String? = nil,
        forwarded: ForwardedClient? = nil
    ) async throws -> NetworkTokens {
        try await networking.request(.login(request, client: client, forwarded: forwarded))
    }
}
