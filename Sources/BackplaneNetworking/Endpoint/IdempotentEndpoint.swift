/// An endpoint that needs an idempotency key: the server carries out a request with a known key
/// only once.
///
/// Use this type if a repeated request without a key would do harm, for example a second payment. A
/// controller performs it only with a key: see ``NetworkController/request(_:key:)``. The mutations
/// of `BackplaneRemote` add their key.
///
/// ```swift
/// extension AuthenticatedIdempotentEndpoint<Purchase> {
///     static func purchase(_ product: Product.ID) -> Self {
///         Self(.post("purchases", body: .json(["product": product])))
///     }
/// }
/// let purchase = try await account.request(.purchase(product), key: key)
/// ```
///
/// Source: the header field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
public struct IdempotentEndpoint<Access, Response: Sendable>: Sendable {
    let endpoint: Endpoint<Access, Response>

    /// Creates an endpoint that needs a key from an endpoint without one.
    public init(needingKey endpoint: Endpoint<Access, Response>) {
        self.endpoint = endpoint
    }

    /// Creates an endpoint with a JSON response, and sets the field `Accept` unless the request
    /// sets it.
    public init(_ request: EndpointRequest) where Response: Decodable {
        self.init(needingKey: Endpoint(request))
    }

    /// Creates an endpoint with a JSON response that may have no body, which becomes `nil`.
    public init(_ request: EndpointRequest) where Response: Decodable & ExpressibleByNilLiteral {
        self.init(needingKey: Endpoint(request))
    }

    /// Creates an endpoint that only reports success and ignores the body of the response.
    public init(_ request: EndpointRequest) where Response == Void {
        self.init(needingKey: Endpoint(request))
    }

    /// Returns the endpoint with a key, which is sent in the field `Idempotency-Key`.
    package func idempotencyKey(_ key: String) -> Endpoint<Access, Response> {
        endpoint.idempotencyKey(key)
    }
}

/// An endpoint that needs an access token and an idempotency key.
///
/// ```swift
/// extension AuthenticatedIdempotentEndpoint<Message> {
///     static func send(_ message: NewMessage) -> Self {
///         Self(.post("messages", body: .json(message)))
///     }
/// }
/// ```
public typealias AuthenticatedIdempotentEndpoint<Response: Sendable> = IdempotentEndpoint<
    AuthenticatedNetworkController, Response
>

/// An endpoint that needs an idempotency key, but no access token.
///
/// ```swift
/// extension NonAuthenticatedIdempotentEndpoint<Registration> {
///     static func register(_ member: NewMember) -> Self {
///         Self(.post("members", body: .json(member)))
///     }
/// }
/// ```
public typealias NonAuthenticatedIdempotentEndpoint<Response: Sendable> = IdempotentEndpoint<
    NonAuthenticatedNetworkController, Response
>
