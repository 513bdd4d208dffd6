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
    /// - Throws: `NetworkError`, with the code `unauthorized` when the server knows no such user or password.
    public func login(using request: LoginRequest) async throws -> NetworkTokens {
        try await networking.request(.login(request))
    }
}
