/// The two ways an endpoint can be reached, as types.
///
/// They tell an ``AuthenticatedEndpoint`` from a ``NonAuthenticatedEndpoint`` at compile time; nothing is ever made of them.
public enum EndpointAccess {
    /// The endpoint is called on behalf of somebody: requests carry an access token.
    public enum Authenticated {}

    /// The endpoint is public: requests carry no token.
    public enum NonAuthenticated {}
}

/// An endpoint that needs an access token; only an ``AuthenticatedNetworkController`` performs it.
///
/// Given to the other controller it does not compile.
///
/// ```swift
/// extension AuthenticatedEndpoint<User> {
///     static func user(_ id: User.ID) -> Self { Self(.get("users/\(id)")) }
/// }
/// ```
public typealias AuthenticatedEndpoint<Response: Sendable> = Endpoint<EndpointAccess.Authenticated, Response>

/// An endpoint that needs no access token; only a ``NonAuthenticatedNetworkController`` performs it.
///
/// Logging in and refreshing tokens are endpoints of this kind.
///
/// ```swift
/// extension NonAuthenticatedEndpoint<NetworkTokens> {
///     static func login(_ credentials: LoginCredentials) -> Self {
///         Self(.post("login", body: .json(credentials)))
///     }
/// }
/// ```
public typealias NonAuthenticatedEndpoint<Response: Sendable> = Endpoint<EndpointAccess.NonAuthenticated, Response>
