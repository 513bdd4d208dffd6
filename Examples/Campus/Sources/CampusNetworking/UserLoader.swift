public import BackplaneNetworking
public import CampusModels

/// Loads the user who is signed in, and does nothing else.
public struct UserLoader: Sendable {
    private let networking: AuthenticatedNetworkController

    /// A loader that asks on behalf of whoever `networking` acts for.
    public init(networking: AuthenticatedNetworkController) {
        self.networking = networking
    }

    /// The user as the server has it now.
    ///
    /// - Throws: `NetworkError`.
    public func loadUser() async throws -> User {
        try await networking.request(.me)
    }
}
