internal import BackplaneConcurrency

/// A closure that receives the result of a request, for callers without `async`.
///
/// It is called exactly once. A cancelled request gets a failure with the code
/// ``NetworkError/Code/cancelled``.
public typealias NetworkResultHandler<T> = (Result<T, NetworkError>) -> Void

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
    /// This function does not compile in code that is on no actor. There, pass the actor of the
    /// caller as `isolation`, or make the request in a `Task`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint to perform.
    ///   - isolation: The actor that calls the handler. Keep the default, which is the caller's
    ///     actor.
    ///   - handler: A closure that is called exactly once, later. It receives the result of
    ///     ``request(_:)``, with ``NetworkError/Code/cancelled`` in place of `CancellationError`.
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
            handler(await Result.ofRequest { try await performer.perform(endpoint, for: scope) })
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

extension NonAuthenticatedNetworkController {
    /// Performs `endpoint` and calls `handler` with the result on the caller's actor.
    ///
    /// Use this function in code without `async`. The handler may capture values that belong to the
    /// actor. A call on the main actor calls the handler on the main actor:
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
    /// This function does not compile in code that is on no actor. There, pass the actor of the
    /// caller as `isolation`, or make the request in a `Task`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint to perform.
    ///   - isolation: The actor that calls the handler. Keep the default, which is the caller's
    ///     actor.
    ///   - handler: A closure that is called exactly once, later. It receives the result of
    ///     ``request(_:)``, with ``NetworkError/Code/cancelled`` in place of `CancellationError`.
    /// - Returns: The task of the request. Cancel it to cancel the request. Releasing it does not
    ///   cancel the request.
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

    /// Reports a clear compiler error for an authenticated endpoint.
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

extension Result where Failure == NetworkError {
    /// Returns the result of `request`, for a handler that is called directly afterward.
    static func ofRequest(_ request: () async throws -> Success) async -> Self {
        do {
            let response = try await request()
            // A caller may cancel on the handler's actor after the response arrives. The handler
            // must not receive the response then.
            try Task.checkCancellation()
            return .success(response)
        } catch let error as NetworkError {
            return .failure(error)
        } catch {
            return .failure(.cancelled)
        }
    }
}
