internal import BackplaneConcurrency

extension NonAuthenticatedNetworkController {
    /// Performs `endpoint` and calls `handler` with the result, on the caller's actor.
    ///
    /// For callers without `async`. The handler may capture whatever belongs to the actor; from the main actor it is called
    /// on the main actor:
    ///
    /// ```swift
    /// @MainActor final class CatalogScreen {
    ///     var networking: NonAuthenticatedNetworkController
    ///     var courses: [Course] = []
    ///
    ///     func load() {
    ///         networking.request(.courses) { [weak self] result in
    ///             if case .success(let courses) = result { self?.courses = courses }
    ///         }
    ///     }
    /// }
    /// ```
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
        _ endpoint: NonAuthenticatedEndpoint<Response>,
        isolation: isolated any Actor = #isolation,
        then handler: @escaping NetworkResultHandler<Response>
    ) -> Task<Void, Never> {
        startTask(on: isolation) {
            handler(await Result.ofRequest { try await request(endpoint) })
        }
    }

    /// Performs `endpoint` and calls `handler` with the result, on any thread.
    ///
    /// For callers that are on no actor, which they say by `isolation: nil`.
    ///
    /// - Parameters:
    ///   - endpoint: what to perform.
    ///   - isolation: `nil`.
    ///   - handler: called exactly once, later, and only with what ``request(_:)`` returns or throws;
    ///     ``NetworkError/Code/cancelled`` stands for `CancellationError`.
    /// - Returns: the request as a task, to cancel it by. Letting go of it does not.
    @discardableResult
    public func request<Response>(
        _ endpoint: NonAuthenticatedEndpoint<Response>,
        isolation: Never?,
        then handler: @escaping @Sendable (Result<Response, NetworkError>) -> Void
    ) -> Task<Void, Never> {
        Task.detached(priority: Task.currentPriority) {
            handler(await Result.ofRequest { try await request(endpoint) })
        }
    }

    /// Not available: it exists for the compiler's message.
    @available(
        *,
        unavailable,
        message: """
            an 'AuthenticatedEndpoint' needs an 'AuthenticatedNetworkController'; \
            this controller performs only a 'NonAuthenticatedEndpoint'
            """
    )
    @discardableResult
    public func request<Response>(
        _ endpoint: AuthenticatedEndpoint<Response>,
        isolation: (any Actor)? = nil,
        then handler: @escaping NetworkResultHandler<Response>
    ) -> Task<Void, Never> {
        Task {}
    }
}
