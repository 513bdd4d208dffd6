public import HTTPTypes

extension Endpoint {
    /// Returns this endpoint with its own timeout instead of ``NetworkOptions/timeout``.
    ///
    /// The timeout is for the whole request, including retries.
    ///
    /// ```swift
    /// Self(.get("reports/\(year)")).timeout(.seconds(120))
    /// ```
    public func timeout(_ timeout: Duration) -> Self {
        var endpoint = self
        endpoint.request.timeout = timeout
        return endpoint
    }

    /// Returns this endpoint with a key, so that the server recognizes a request that it has
    /// already processed.
    ///
    /// The key is sent in the field `Idempotency-Key`. ``RetryMiddleware`` may then repeat the
    /// request even if its method is not idempotent, such as POST. Use it only if the server
    /// supports the field.
    ///
    /// - Parameter key: The key. Use a new key for each operation, and the same key for each
    ///   attempt at one operation. An empty key counts as no key.
    /// - Returns: The endpoint with the key.
    public func idempotencyKey(_ key: String) -> Self {
        var endpoint = self
        endpoint.request.headers[.idempotencyKey] = key.isEmpty ? nil : key
        return endpoint
    }

    /// Returns this endpoint with the type of its error bodies.
    ///
    /// If a response has a status from 400 to 599 and its body decodes as `type`, the value becomes
    /// the ``NetworkError/cause`` of the thrown error. The code, the status and the body of the
    /// error stay the same. If the body has another form, such as the page of a proxy, the error
    /// has no such cause.
    ///
    /// ```swift
    /// struct Problem: Error, Decodable {
    ///     var title: String
    /// }
    ///
    /// do {
    ///     try await account.request(.addWaiter(in: course).errors(as: Problem.self))
    /// } catch let error as NetworkError {
    ///     if let problem = error.cause as? Problem { show(problem.title) }
    /// }
    /// ```
    ///
    /// The value never appears in a description. To declare one type for all endpoints, use
    /// ``NetworkOptions/errorType``.
    public func errors(as type: (some Error & Decodable).Type) -> Self {
        var endpoint = self
        endpoint.handling.errorType = type
        return endpoint
    }

    /// Returns this endpoint with a cache in memory for its responses.
    ///
    /// The cache serves only GET requests without a body. It keeps successful responses without
    /// `Cache-Control: no-store`. A request gets a cached response if the URL and the header fields
    /// are equal, including the fields that middlewares set. So if a field has a new value each
    /// time, such as a request number, no cached response is used.
    ///
    /// A user's responses are never given to another user. They are removed when the user signs
    /// out, and responses that arrive later are not kept. A request that writes to the same URL
    /// also removes them, through any controller over the same
    /// ``NonAuthenticatedNetworkController``. ``NetworkOptions/cacheLimit`` limits the whole cache.
    ///
    /// - Parameter age: The maximum age of the response since its request, on the clock of the
    ///   controller. With `.zero` the request is always sent and its response is cached. Use this
    ///   to reload.
    /// - Returns: The endpoint with cached responses.
    public func cached(for age: Duration) -> Self {
        var endpoint = self
        endpoint.handling.cacheAge = age
        return endpoint
    }
}

extension Endpoint where Access == AuthenticatedNetworkController {
    /// Returns this endpoint with a rule of its own: which responses refuse the access token.
    ///
    /// After such a response, the session refreshes its tokens and sends the request once more. The
    /// default rule is every 401 response. Change it if this endpoint uses 401 for something else,
    /// such as a wrong second password:
    ///
    /// ```swift
    /// Self(.post("pin", body: .json(pin)))
    ///     .authenticationFails(with: [.unauthorized], challenge: "invalid_token")
    /// Self(.post("pin", body: .json(pin))).authenticationFails(with: [])
    /// ```
    ///
    /// The rule consists of values. So a request that is written to a file keeps its rule.
    ///
    /// - Parameters:
    ///   - statuses: The statuses that refuse the token. If the list is empty, no response refuses
    ///     the token.
    ///   - challenge: A text that the field `WWW-Authenticate` must also contain, in upper or lower
    ///     case. By default the field is not checked. A server that follows RFC 6750 writes
    ///     `invalid_token` there.
    /// - Returns: The endpoint with its rule.
    public func authenticationFails(with statuses: [HTTPResponse.Status], challenge: String? = nil) -> Self {
        var endpoint = self
        endpoint.handling.authentication = AuthenticationRule(
            statuses: Set(statuses.map(\.code)),
            challenge: challenge
        )
        return endpoint
    }
}

/// The settings for the responses of an endpoint, independent of their type.
struct EndpointHandling: Sendable {
    /// The rule for responses that refuse the access token.
    var authentication = AuthenticationRule.standard

    /// The type of error bodies, or `nil` to use the type in the controller's options.
    var errorType: (any (Error & Decodable).Type)?

    /// The maximum age of a cached response, or `nil` if responses are not cached.
    var cacheAge: Duration?
}
