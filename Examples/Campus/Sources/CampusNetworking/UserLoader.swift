public import BackplaneNetworking
public import CampusModels

/// A loader of the signed-in user.
public struct UserLoader: Sendable {
    private let networking: AuthenticatedNetworkController

    /// Creates a loader for the user of `networking`.
    public init(networking: AuthenticatedNetworkController) {
        self.networking = networking
    }

    /// Loads the user from the server.
    ///
    /// - Throws: `NetworkError`.
    public func loadUser() async throws -> User {
        try await networking.request(.me)
    }
}
