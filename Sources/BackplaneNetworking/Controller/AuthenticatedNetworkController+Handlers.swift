internal import BackplaneConcurrency

extension AuthenticatedNetworkController {
    /// Performs `endpoint` and calls `handler` with the result on the caller's actor.
    ///
    /// Use this function in code without `async`. The handler may capture values that belong to the
    /// actor. A call on the main actor calls the handler on the main actor:
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
    /// The request belongs to the user who is signed in at the time of the call. If that user signs
    /// out before the handler runs, the handler gets ``NetworkError/Code/signedOut``, even if a
    /// response arrived.
    ///
    /// This function does not compile in code that is on no actor. Pass on the actor of the caller
    /// as `isolation` there, or make the request in a `Task`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint to perform.
    ///   - isolation: The actor that calls the handler. Keep the default, which is the caller's
    ///     actor.
    ///   - handler: A closure that is called exactly once, later. It receives only results of
    ///     ``request(_:)``. ``NetworkError/Code/cancelled`` replaces `CancellationError`.
    /// - Returns: The task of the request. Cancel it to cancel the request. Releasing it does not
    ///   cancel the request.
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

    /// Reports a clear compiler error for a non-authenticated endpoint.
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
