public import HTTPTypes

extension Endpoint {
    /// The same endpoint with another time for the whole request, retries included, than what ``NetworkOptions/timeout``
    /// says.
    ///
    /// ```swift
    /// Self(.get("reports/\(year)")).timeout(.seconds(120))
    /// ```
    public func timeout(_ timeout: Duration) -> Self {
        var endpoint = self
        endpoint.request.timeout = timeout
        return endpoint
    }

    /// The same endpoint with a key by which the server recognises a request that it has carried out already.
    ///
    /// The key goes into the field `Idempotency-Key`, and makes a request that is not idempotent by its method, like POST,
    /// one that ``RetryMiddleware`` may repeat. Use it only if the server knows the field.
    ///
    /// - Parameter key: another one for each thing to be done, the same one for each attempt at it.
    /// - Returns: the endpoint with the key.
    public func idempotencyKey(_ key: String) -> Self {
        var endpoint = self
        endpoint.request.headers[.idempotencyKey] = key
        return endpoint
    }

    /// The same endpoint, which also knows what the server describes a refusal with.
    ///
    /// If the body of an answer with a status from 400 to 599 decodes as `type`, the value is the ``NetworkError/cause`` of
    /// the error thrown; the error's code, status and body are what they are without it. A body that is something else, as
    /// when a proxy answers in the server's place, makes no difference.
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
    /// The value is never part of a description. ``NetworkOptions/errorType`` says the same for all endpoints.
    public func errors(as type: (some Error & Decodable).Type) -> Self {
        var endpoint = self
        endpoint.handling.errorType = type
        return endpoint
    }

    /// The same endpoint, whose answer may be one kept in memory that was asked for less than `age` ago.
    ///
    /// Only GET requests without a body are answered from memory. Kept is what was successful and does not say
    /// `Cache-Control: no-store`, for requests that are the same in URL and header fields, those set by middlewares
    /// included: a field that is another one each time, like a number for the request, leaves nothing to be found.
    ///
    /// An answer to one user is given to no other, and is forgotten when the user signs out; what is on its way then is
    /// not kept. A request to write to the same URL, made through any controller over the same
    /// ``NonAuthenticatedNetworkController``, forgets it too. ``NetworkOptions/cacheLimit`` bounds it all.
    ///
    /// - Parameter age: how old the answer may be, on the controller's clock. With `.zero` the request is always sent, and
    ///   its answer kept for others: that is how to reload.
    /// - Returns: the endpoint whose answers are kept.
    public func cached(for age: Duration) -> Self {
        var endpoint = self
        endpoint.handling.cacheAge = age
        return endpoint
    }
}

extension Endpoint where Access == EndpointAccess.Authenticated {
    /// The same endpoint with another notion of which answers say that the access token is not accepted.
    ///
    /// Such an answer makes the session refresh its tokens and the request go out once more. Unless told otherwise it is
    /// every 401. Say so here if this endpoint answers 401 to something else, like a wrong second password.
    public func authenticationFails(when predicate: @escaping @Sendable (HTTPResponse) -> Bool) -> Self {
        var endpoint = self
        endpoint.handling.isAuthenticationFailure = predicate
        return endpoint
    }
}

/// How an endpoint's answers are treated, whatever they are decoded to.
struct EndpointHandling: Sendable {
    /// Which answers say that the access token is not accepted.
    var isAuthenticationFailure: @Sendable (HTTPResponse) -> Bool = { $0.status == .unauthorized }

    /// What a refusal is described with, if not what the controller's options say.
    var errorType: (any (Error & Decodable).Type)?

    /// How old a kept answer may be, `nil` if answers are not kept.
    var cacheAge: Duration?
}
