public import BackplaneFeatures
public import BackplaneNetworking
internal import HTTPTypes

extension NetworkController {
    /// Returns a closure for the `send` of a mutation: it performs an endpoint with the mutation's
    /// key.
    ///
    /// ```swift
    /// try todos.enqueue(
    ///     Mutation(.set(\.isDone, to: true, of: todo), send: account.sending(.finish(todo)))
    /// )
    /// ```
    ///
    /// The key is sent in the field `Idempotency-Key` (R3). If the store of the record knows the
    /// entity tag of the server state (`RecordStore(entityTag:)`), a request that changes something
    /// also has the field `If-Match` (RFC 9110 section 13.1.1). Then, if somebody else has changed
    /// the value, the server refuses the change with status 412, and the change is undone.
    ///
    /// The store resends a mutation whose outcome is unknown. `RetryMiddleware` does not resend
    /// such a request as well.
    ///
    /// - Parameter endpoint: The endpoint, which is the same for each attempt.
    /// - Returns: The closure, which throws the errors of the request.
    public func sending<Response>(
        _ endpoint: Endpoint<Access, Response>
    ) -> (IdempotencyKey) async throws -> Response {
        // The closures of this file have no capture lists: a closure with one may run outside the
        // actor of its caller (swiftlang/swift#87097).
        { key in try await self.request(endpoint.idempotencyKey("\(key)").onTopOfSentRecord) }
    }

    /// Returns a closure for the `send` of a mutation: it performs an endpoint that needs a key.
    ///
    /// Everything else is the same as for the other function of this name.
    public func sending<Response>(
        _ endpoint: IdempotentEndpoint<Access, Response>
    ) -> (IdempotencyKey) async throws -> Response {
        { key in try await self.request(endpoint.idempotencyKey("\(key)").onTopOfSentRecord) }
    }

    /// Returns a closure for the `send` of a mutation, with an endpoint that is made at the time of
    /// sending.
    ///
    /// Use it if the ID of the record may change before the mutation is sent, because the server
    /// replaces it:
    ///
    /// ```swift
    /// send: account.sending { .rename(notes.currentID(of: note), title) }
    /// ```
    public func sending<Response>(
        _ endpoint: @escaping () -> Endpoint<Access, Response>
    ) -> (IdempotencyKey) async throws -> Response {
        { key in try await self.request(endpoint().idempotencyKey("\(key)").onTopOfSentRecord) }
    }
}

extension Endpoint {
    /// The endpoint with the entity tag of the record that is being sent.
    fileprivate var onTopOfSentRecord: Self {
        guard let tag = SentRecord.entityTag, ![.get, .head].contains(request.method),
            request.headers[.ifMatch] == nil, request.headers[.ifNoneMatch] == nil
        else { return self }
        var endpoint = self
        endpoint.request.headers[.ifMatch] = tag
        return endpoint
    }
}

extension IdempotentAction {
    /// Creates an action that performs an endpoint, with one key for each input until its outcome
    /// is known.
    ///
    /// ```swift
    /// let purchase = IdempotentAction<Product.ID, Receipt>(for: { .buy($0) }, through: account)
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: Returns the endpoint for an input.
    ///   - controller: The controller that performs the endpoint.
    public convenience init<Controller: NetworkController>(
        for endpoint: @escaping (Input) -> IdempotentEndpoint<Controller.Access, Output>,
        through controller: Controller
    ) where Output: Sendable {
        self.init { input, key in try await controller.request(endpoint(input).idempotencyKey("\(key)")) }
    }
}
