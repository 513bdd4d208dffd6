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

    /// Returns this endpoint with a cache for its responses, which follows the server's own fields
    /// (RFC 9111).
    ///
    /// `Cache-Control` or `Expires` decides for how long a response is fresh. A fresh response is
    /// returned without a request. Later the server is asked with `If-None-Match` or
    /// `If-Modified-Since`, and a 304 response makes the cached one fresh again. `Vary`,
    /// `stale-while-revalidate` and `stale-if-error` are respected, and so is the `Cache-Control`
    /// field of the request.
    ///
    /// The cache serves only GET requests without a body, a range or a condition. A user's
    /// responses are never given to another user, and are removed when the user signs out. A
    /// request that changes the same URL also removes them. See <doc:CachingResponses>.
    public func cached() -> Self {
        var endpoint = self
        endpoint.handling.cacheUse = .standard
        return endpoint
    }

    /// Returns this endpoint with a cache for its responses and an age of its own, for servers
    /// that declare no lifetime.
    ///
    /// It differs from ``cached()``: the age decides in place of the server's lifetime, though
    /// `no-store` still counts. Only successful responses are returned from the cache. The URL and
    /// the header fields must be equal, including the fields that middlewares set. So if a field
    /// has a new value each time, such as a request number, no cached response is used.
    ///
    /// - Parameter age: The maximum age of the response since its request, on the clock of the
    ///   controller. With `.zero` the server is always asked. Use this to reload.
    /// - Returns: The endpoint with cached responses.
    public func cached(for age: Duration) -> Self {
        var endpoint = self
        endpoint.handling.cacheUse = .upTo(age / .seconds(1))
        return endpoint
    }

    /// Returns this endpoint with the source of each response.
    package func withSource() -> Endpoint<Access, (value: Response, source: ResponseSource)> {
        var endpoint = Endpoint<Access, (value: Response, source: ResponseSource)>(request) { [decode] in
            (try decode($0, $1), $0.source)
        }
        endpoint.handling = handling
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

    /// The way in which the endpoint uses the cache, or `nil` if it does not.
    var cacheUse: CachePolicy.Use?
}
