public import BackplaneNetworking
public import CampusModels

/// Logs a user in, and does nothing else: what is done with the tokens is its caller's affair.
public struct LoginPerformer: Sendable {
    private let networking: NonAuthenticatedNetworkController

    /// A performer that asks the server behind `networking`.
    public init(networking: NonAuthenticatedNetworkController) {
        self.networking = networking
    }

    /// The tokens for the user with this address and password.
    ///
    /// - Parameters:
    ///   - request: who logs in.
    ///   - client: what the user logs in with, as it calls itself in `User-Agent`; this process if nil.
    /// - Returns: the tokens.
    /// - Throws: `NetworkError`, with the code `unauthorized` when the server knows no such user or password.
    public func login(using request: LoginRequest, client: String? = nil) async throws -> NetworkTokens {
        try await networking.request(.login(request, client: client))
    }
}
