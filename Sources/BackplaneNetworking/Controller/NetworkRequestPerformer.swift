internal import BackplaneConcurrency
internal import Foundation
internal import HTTPTypes

/// The request pipeline that both controllers share.
///
/// Every request passes six stages in this order, within one timeout:
/// 1. **Prepare**: `prepare(_:)` checks the path, encodes the body once, and adds the base URL.
/// 2. **Middleware**: `callMiddleware(_:_:for:_:)` passes the request through
///    ``NetworkOptions/middlewares``, outermost first. A middleware may run the stages below
///    several times.
/// 3. **Cache**: `callCache(_:_:for:_:)` checks that the request stays on its server, and returns a
///    cached response if there is one.
/// 4. **Authorize**: `callAuthorization(_:_:for:_:)` supplies the access token, after
///    waiting for a refresh if needed. It resends the request once if the server refuses the token.
/// 5. **Transport**: `callTransport(_:_:accessToken:for:_:)` sends the request once and notifies
///    ``NetworkOptions/observe``.
/// 6. **Decode**: `decode(_:from:)` turns the response into the endpoint's value, or throws the
///    error of an unsuccessful response.
struct NetworkRequestPerformer: Sendable {
    /// A request without its access token; the body is encoded once, so every attempt sends the
    /// same bytes.
    private struct PreparedRequest {
        let head: HTTPRequest
        let body: Data?
    }

    let base: BaseURL
    let transport: any NetworkTransport
    let options: NetworkOptions
    let responses: ResponseCache
    let timer: DeadlineTimer

    init(base: BaseURL, transport: any NetworkTransport, options: NetworkOptions) {
        self.base = base
        self.transport = transport
        self.options = options
        responses = ResponseCache(options, of: base)
        timer = DeadlineTimer(clock: options.clock)
    }

    /// Performs `endpoint` within its timeout.
    ///
    /// `departure` learns whether the server may have received the request.
    ///
    /// - Throws: `NetworkError` with the name of the endpoint, or `CancellationError`.
    func perform<Access, Response>(
        _ endpoint: Endpoint<Access, Response>,
        for scope: some RequestScope,
        noting departure: Departure = Departure()
    ) async throws -> Response {
        let name = "\(endpoint.request.method) \(base.path(of: endpoint.request))"
        let deadline = Deadline(in: endpoint.request.timeout ?? options.timeout, on: options.clock)
        let context = NetworkRequestContext(
            endpoint: name,
            clock: options.clock,
            departure: departure,
            deadline: deadline
        )
        do {
            let value = try await deadline.limit(by: timer, following: scope.follow) {
                let request = try prepare(endpoint.request)
                let response = try await callMiddleware(request, endpoint.handling, for: scope, context)
                // A response for a user who has signed out is discarded unread, even if it comes
                // from the cache.
                try scope.check()
                do {
                    return try decode(response, from: endpoint)
                } catch let error as NetworkError
                    where error.code == .undecodableResponse && endpoint.handling.cacheUse != nil
                {
                    // A response that cannot be decoded now cannot be decoded from the cache later.
                    await responses.remove(departure.target.map { [$0] } ?? [])
                    throw error
                }
            }
            // Checks again on the caller's actor: nothing else runs there between this line and the
            // caller.
            try scope.check()
            return value
        } catch let failure as NetworkError {
            var error = departure.conclusion(from: failure)
            // A sign-out replaces any other `NetworkError`, such as an earlier timeout.
            do { try scope.check() } catch let gone as NetworkError { error = gone }
            (error.endpoint, error.mayHaveArrived) = (name, departure.mayHaveArrived)
            error.isOfDeletion = endpoint.request.method == .delete
            throw error
        }
    }

    /// Sends the request through the middlewares and returns their response.
    private func callMiddleware(
        _ request: PreparedRequest,
        _ handling: EndpointHandling,
        for scope: some RequestScope,
        _ context: NetworkRequestContext
    ) async throws -> NetworkResponse {
        let innermost: NetworkMiddleware.Next = { head, body in
            let request = PreparedRequest(head: head, body: body)
            let response = try await callCache(request, handling, for: scope, context)
            return (response.head, response.body)
        }
        let chain = options.middlewares.reversed().reduce(innermost) { next, middleware in
            { head, body in try await middleware.intercept(head, body: body, context: context, next: next) }
        }
        do {
            let (head, body) = try await chain(request.head, request.body)
            return NetworkResponse(head: head, body: body, source: context.departure.source)
        } catch _ where Task.isCancelled {
            throw CancellationError()
        } catch {
            try scope.check()
            throw error as? NetworkError ?? .middlewareFailed(error)
        }
    }

    /// Returns a cached response, or authorizes and sends the request.
    private func callCache(
        _ request: PreparedRequest,
        _ handling: EndpointHandling,
        for scope: some RequestScope,
        _ context: NetworkRequestContext
    ) async throws -> NetworkResponse {
        guard base.isOrigin(of: request.head) else { throw NetworkError.originChanged }
        // A middleware may have chosen another path.
        context.departure.target = request.head.path
        let response = try await responses.response(
            to: request.head,
            body: request.body,
            in: scope.partition,
            use: handling.cacheUse,
            unlessRefusedBy: handling.authentication,
            send: { head in
                let request = PreparedRequest(head: head, body: request.body)
                return try await callAuthorization(request, handling, for: scope, context)
            },
            inBackground: { work, end in sendInBackground(handling, for: scope, context, work, end) }
        )
        context.departure.source = response.source
        return response
    }

    /// Runs `work` with a way to send requests, which ends with the session and after the timeout,
    /// and then `end`.
    private func sendInBackground(
        _ handling: EndpointHandling,
        for scope: some RequestScope,
        _ context: NetworkRequestContext,
        _ work: @escaping @Sendable (ResponseCache.Send) async throws -> Void,
        _ end: @escaping @Sendable () -> Void
    ) {
        let deadline = Deadline(in: options.timeout, on: options.clock)
        let context = NetworkRequestContext(
            endpoint: context.endpoint,
            clock: options.clock,
            departure: Departure(),
            deadline: deadline
        )
        Task.detached {
            try? await deadline.limit(by: timer, following: scope.follow) {
                try await work { head in
                    let request = PreparedRequest(head: head, body: nil)
                    return try await callAuthorization(request, handling, for: scope, context)
                }
            }
            end()
        }
    }

    /// Sends the request with an access token, and once more if the server refuses the token.
    private func callAuthorization(
        _ request: PreparedRequest,
        _ handling: EndpointHandling,
        for scope: some RequestScope,
        _ context: NetworkRequestContext
    ) async throws -> NetworkResponse {
        try await scope.authorize { token in
            try await callTransport(request, handling, accessToken: token, for: scope, context)
        } isRefused: { response in
            guard handling.authentication.isFailure(response.head) else { return false }
            context.departure.revoke(isRefused: true)
            return true
        }
    }

    /// Sends a request once and notifies the observer.
    ///
    /// - Throws: `NetworkError`, or `CancellationError` if the task is cancelled, whatever error
    ///   the transport throws.
    private func callTransport(
        _ request: PreparedRequest,
        _ handling: EndpointHandling,
        accessToken: AccessToken?,
        for scope: some RequestScope,
        _ context: NetworkRequestContext
    ) async throws -> NetworkResponse {
        try Task.checkCancellation()
        var head = request.head
        if let accessToken { head.headerFields[.authorization] = "Bearer \(accessToken.rawValue)" }
        let stopwatch = Stopwatch(options.clock)
        func observe(_ result: Result<HTTPResponse.Status, NetworkError>) {
            let (method, path) = (head.method, head.pathWithoutQuery)
            options.observe?(
                NetworkObservation(method: method, path: path, result: result, duration: stopwatch.elapsed)
            )
        }
        // The last check: nothing runs between it and the transport. A user who leaves from here on
        // cancels this task (N22).
        try scope.checkDeparture()
        let departure = context.departure
        departure.begin(head)
        let changes = !head.method.isSafe
        do {
            let (response, body) = try await transport.send(
                head,
                body: request.body,
                responseLimit: options.responseLimit
            )
            observe(.success(response.status))
            let answer = NetworkResponse(head: response, body: body)
            let isUnknown = RequestOutcome(after: .response(response.status.code)) == .unknown
            if changes, isUnknown, !handling.authentication.isFailure(response) {
                departure.lose(refusal(answer, handling))
            }
            return answer
        } catch _ where Task.isCancelled {
            if changes { departure.lose(.transportFailed(CancellationError())) }
            // A timeout cancels the task too, but a log must show it as a timeout.
            observe(.failure(context.deadline.error))
            throw CancellationError()
        } catch {
            let error = error as? NetworkError ?? .transportFailed(error)
            observe(.failure(error))
            if error.wasNotSent {
                departure.revoke(isRefused: false)
            } else if changes {
                departure.lose(error)
            }
            throw error
        }
    }

    private func prepare(_ request: EndpointRequest) throws -> PreparedRequest {
        if let problem = request.path.problem { throw NetworkError.invalidEndpoint(problem) }
        let head = HTTPRequest(
            method: request.method,
            scheme: base.scheme,
            authority: base.authority,
            path: base.target(of: request),
            headerFields: request.fields
        )
        return PreparedRequest(head: head, body: try request.encodedBody(by: options.encoder))
    }

    private func decode<Access, Response>(
        _ response: NetworkResponse,
        from endpoint: Endpoint<Access, Response>
    ) throws -> Response {
        if endpoint.handling.authentication.isFailure(response.head) {
            throw refusal(response, endpoint.handling, as: .unauthorized)
        }
        guard response.head.status.kind == .successful else { throw refusal(response, endpoint.handling) }
        do {
            return try endpoint.decode(response, options.decoder)
        } catch {
            throw error as? NetworkError ?? .undecodableResponse(error, from: response.head)
        }
    }

    /// Returns the error for an unsuccessful response, with the server's description if it can be
    /// decoded.
    private func refusal(
        _ response: NetworkResponse,
        _ handling: EndpointHandling,
        as code: NetworkError.Code? = nil
    ) -> NetworkError {
        let describesErrors = [.clientError, .serverError].contains(response.head.status.kind)
        let type = describesErrors ? handling.errorType ?? options.errorType : nil
        // Another body, such as the page of a proxy, must not hide the original error.
        let description = type.flatMap { try? options.decoder.decode($0, from: response.body) }
        return .refused(response.head, body: response.body, as: code, cause: description)
    }
}

/// A response from the server or the cache, not yet decoded.
struct NetworkResponse: Sendable {
    let head: HTTPResponse
    let body: Data
    var source = ResponseSource.network
}
