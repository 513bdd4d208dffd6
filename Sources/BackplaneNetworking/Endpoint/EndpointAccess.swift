/// The two kinds of access to an endpoint, as types.
///
/// They separate ``AuthenticatedEndpoint`` from ``NonAuthenticatedEndpoint`` at compile time. They
/// have no instances.
public enum EndpointAccess {
    /// An endpoint for a signed-in user: its requests carry an access token.
    public enum Authenticated {}

    /// A public endpoint: its requests carry no token.
    public enum NonAuthenticated {}
}

/// An endpoint that needs an access token; only an ``AuthenticatedNetworkController`` performs it.
///
/// It does not compile with the other controller.
///
/// ```swift
/// extension AuthenticatedEndpoint<User> {
///     static func user(_ id: User.ID) -> Self { Self(.get("users/\(id)")) }
/// }
/// ```
public typealias AuthenticatedEndpoint<Response: Sendable> = Endpoint<EndpointAccess.Authenticated, Response>

/// An endpoint that needs no access token; only a ``NonAuthenticatedNetworkController`` performs
/// it.
///
/// Logins and token refreshes are endpoints of this kind.
///
/// ```swift
/// extension NonAuthenticatedEndpoint<NetworkTokens> {
///     static func login(_ credentials: LoginCredentials) -> Self {
///         Self(.post("login", body: .json(credentials)))
///     }
/// }
/// ```
public typealias NonAuthenticatedEndpoint<Response: Sendable> = Endpoint<EndpointAccess.NonAuthenticated, Response>
