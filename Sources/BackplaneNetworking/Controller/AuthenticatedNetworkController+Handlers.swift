internal import BackplaneConcurrency

extension AuthenticatedNetworkController {
    /// Performs `endpoint` and calls `handler` with the result, on the caller's actor.
    ///
    /// For callers without `async`. The handler may capture whatever belongs to the actor; from the main actor it is called
    /// on the main actor:
    ///
    /// ```swift
    /// @MainActor struct UserLoader {
    ///     var networkController: AuthenticatedNetworkController
    ///
    ///     func loadUser(withID id: User.ID, then handler: @escaping NetworkResultHandler<User>) {
    ///         networkController.request(.user(id), then: handler)
    ///     }
    /// }
    /// ```
    ///
    /// It is a request of the user who is signed in when this is called. If that user has been signed out by the time the
    /// handler is called, it gets ``NetworkError/Code/signedOut``, whatever came back.
    ///
    /// Code that is on no actor does not compile here; it uses ``request(_:isolation:then:)-(_,Never?,_)``.
    ///
    /// - Parameters:
    ///   - endpoint: what to perform.
    ///   - isolation: the actor to call the handler on; leave it to its default.
    ///   - handler: called exactly once, later, and only with what ``request(_:)`` returns or throws;
    ///     ``NetworkError/Code/cancelled`` stands for `CancellationError`.
    /// - Returns: the request as a task, to cancel it by. Letting go of it does not.
    @discardableResult
    public func request<Response>(
        _ endpoint: AuthenticatedEndpoint<Response>,
        isolation: isolated any Actor = #isolation,
        then handler: @escaping NetworkResultHandler<Response>
    ) -> Task<Void, Never> {
        let scope = makeScope()
        return startTask(on: isolation) {
            handler(await Result.ofRequest { try await request(endpoint, for: scope) })
        }
    }

    /// Performs `endpoint` and calls `handler` with the result, on any thread.
    ///
    /// For callers that are on no actor, which they say by `isolation: nil`. It is a request of the user who is signed in
    /// when this is called.
    ///
    /// - Parameters:
    ///   - endpoint: what to perform.
    ///   - isolation: `nil`.
    ///   - handler: called exactly once, later, and only with what ``request(_:)`` returns or throws;
    ///     ``NetworkError/Code/cancelled`` stands for `CancellationError`.
    /// - Returns: the request as a task, to cancel it by. Letting go of it does not.
    @discardableResult
    public func request<Response>(
        _ endpoint: AuthenticatedEndpoint<Response>,
        isolation: Never?,
        then handler: @escaping @Sendable (Result<Response, NetworkError>) -> Void
    ) -> Task<Void, Never> {
        let scope = makeScope()
        return Task.detached(priority: Task.currentPriority) {
            handler(await Result.ofRequest { try await request(endpoint, for: scope) })
        }
    }

    /// Not available: it exists for the compiler's message.
    @available(
        *,
        unavailable,
        message: """
            a 'NonAuthenticatedEndpoint' needs a 'NonAuthenticatedNetworkController'; \
            this controller performs only an 'AuthenticatedEndpoint'
            """
    )
    @discardableResult
    public func request<Response>(
        _ endpoint: NonAuthenticatedEndpoint<Response>,
        isolation: (any Actor)? = nil,
        then handler: @escaping NetworkResultHandler<Response>
    ) -> Task<Void, Never> {
        Task {}
    }
}
