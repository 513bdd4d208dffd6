internal import Foundation
internal import HTTPTypes

/// What both controllers perform requests with: it joins endpoint, server and token to an HTTP request, sends it by way of
/// the middlewares, and reads the answer.
struct NetworkRequestPerformer: Sendable {
    /// A request but for the token, encoded once, so that every attempt sends the same bytes.
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
        responses = ResponseCache(limit: options.cacheLimit, clock: options.clock)
        timer = DeadlineTimer(clock: options.clock)
    }

    /// Performs `endpoint` within its time, or throws a `NetworkError` about it or `CancellationError`.
    func perform<Access, Response>(
        _ endpoint: Endpoint<Access, Response>,
        for scope: some RequestScope
    ) async throws -> Response {
        let name = "\(endpoint.request.method) \(base.path(of: endpoint.request))"
        let deadline = Deadline(in: endpoint.request.timeout ?? options.timeout, on: options.clock)
        let context = NetworkRequestContext(endpoint: name, clock: options.clock, deadline: deadline)
        do {
            let value = try await deadline.limit(by: timer) {
                let request = try prepare(endpoint.request)
                let response = try await callMiddleware(request, endpoint.handling, for: scope, context)
                // An answer to somebody who has gone is dropped unread, wherever it came from.
                try scope.check()
                return try decode(response, from: endpoint)
            }
            // Once more, back on the caller's actor: between this and the caller nothing else runs there.
            try scope.check()
            return value
        } catch var error as NetworkError {
            // Whoever has gone is told so, even if the time was up first.
            do { try scope.check() } catch let gone as NetworkError { error = gone }
            error.endpoint = name
            throw error
        }
    }

    /// Sends the request through the middlewares, and returns what comes back.
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
            return NetworkResponse(head: head, body: body)
        } catch _ where Task.isCancelled {
            throw CancellationError()
        } catch {
            try scope.check()
            throw error as? NetworkError ?? .middlewareFailed(error)
        }
    }

    /// The innermost step: answers from the cache, or attaches the credential and sends.
    private func callCache(
        _ request: PreparedRequest,
        _ handling: EndpointHandling,
        for scope: some RequestScope,
        _ context: NetworkRequestContext
    ) async throws -> NetworkResponse {
        guard base.isOrigin(of: request.head) else { throw NetworkError.originChanged }
        return try await responses.response(
            to: request.head,
            body: request.body,
            in: scope.partition,
            noOlderThan: handling.cacheAge
        ) {
            try await scope.authorize { token in
                try await callTransport(request, accessToken: token, for: scope, context)
            } isRefused: { response in
                handling.isAuthenticationFailure(response.head)
            }
        }
    }

    /// Sends a request once and tells the observer.
    ///
    /// - Throws: `NetworkError`, or `CancellationError` when the task was cancelled, whatever the transport made of it.
    private func callTransport(
        _ request: PreparedRequest,
        accessToken: AccessToken?,
        for scope: some RequestScope,
        _ context: NetworkRequestContext
    ) async throws -> NetworkResponse {
        try Task.checkCancellation()
        var head = request.head
        if let accessToken { head.headerFields[.authorization] = "Bearer \(accessToken.rawValue)" }
        let stopwatch = Stopwatch(options.clock)
        func observe(_ outcome: NetworkObservation.Outcome) {
            options.observe?(
                NetworkObservation(
                    method: head.method,
                    path: head.pathWithoutQuery,
                    outcome: outcome,
                    duration: stopwatch.elapsed
                )
            )
        }
        // Last, with nothing between it and the transport.
        try scope.checkDeparture()
        do {
            let (response, body) = try await transport.send(
                head,
                body: request.body,
                responseLimit: options.responseLimit
            )
            observe(.answered(response.status))
            return NetworkResponse(head: response, body: body)
        } catch _ where Task.isCancelled {
            // Running out of time cancels as well; for a log it is something else than a caller that left.
            observe(context.remainingTime > .zero ? .cancelled : .failed(.timedOut))
            throw CancellationError()
        } catch {
            let error = error as? NetworkError ?? .transportFailed(error)
            observe(.failed(error.code))
            throw error
        }
    }

    private func prepare(_ request: EndpointRequest) throws -> PreparedRequest {
        if let problem = request.path.problem { throw NetworkError.invalidEndpoint(problem) }
        var headers = HTTPFields()
        var body: Data?
        if let content = request.body {
            do {
                body = try content.encode(options.encoder)
            } catch {
                throw NetworkError.unencodableBody(error)
            }
            headers[.contentType] = content.contentType
        }
        for field in request.headers { headers[fields: field.name] = request.headers[fields: field.name] }
        let head = HTTPRequest(
            method: request.method,
            scheme: base.scheme,
            authority: base.authority,
            path: base.target(of: request),
            headerFields: headers
        )
        return PreparedRequest(head: head, body: body)
    }

    private func decode<Access, Response>(
        _ response: NetworkResponse,
        from endpoint: Endpoint<Access, Response>
    ) throws -> Response {
        guard response.head.status.kind == .successful else { throw refusal(response, endpoint.handling) }
        do {
            return try endpoint.decode(response.head, response.body, options.decoder)
        } catch {
            // What cannot be read now cannot be read from the cache either.
            if endpoint.handling.cacheAge != nil { responses.removeAll(at: base.target(of: endpoint.request)) }
            throw error as? NetworkError ?? .undecodableResponse(error, from: response.head)
        }
    }

    /// The error for an answer that is no success, with what the server says about it if that can be read.
    private func refusal(_ response: NetworkResponse, _ handling: EndpointHandling) -> NetworkError {
        let describesErrors = [.clientError, .serverError].contains(response.head.status.kind)
        let type = describesErrors ? handling.errorType ?? options.errorType : nil
        // A body that is something else, like a proxy's page, is no reason to hide the refusal itself.
        let description = type.flatMap { try? options.decoder.decode($0, from: response.body) }
        return .refused(response.head, body: response.body, cause: description)
    }
}

/// What a server sent back, not yet decoded.
struct NetworkResponse: Sendable {
    let head: HTTPResponse
    let body: Data
}
