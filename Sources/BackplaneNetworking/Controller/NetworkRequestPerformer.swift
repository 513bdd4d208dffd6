internal import Foundation
internal import HTTPTypes

/// What both controllers perform requests with: it joins endpoint, server and token to an HTTP request, sends it by way of
/// the middlewares, and reads the answer.
struct NetworkRequestPerformer: Sendable {
    /// A request but for the token, encoded once, so that every attempt sends the same bytes.
    private struct Outgoing {
        let head: HTTPRequest
        let body: Data?
    }

    let base: BaseURL
    let transport: any NetworkTransport
    let options: NetworkOptions
    let cache: ResponseCache
    let timer: DeadlineTimer

    init(base: BaseURL, transport: any NetworkTransport, options: NetworkOptions) {
        self.base = base
        self.transport = transport
        self.options = options
        cache = ResponseCache(limit: options.cacheLimit, clock: options.clock)
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
            let response = try await deadline.limit(by: timer) {
                let answer = try await answer(to: endpoint, for: scope, context)
                // An answer to somebody who has gone is dropped unread, wherever it came from.
                try scope.check()
                return try decode(answer, from: endpoint)
            }
            // Once more, back on the caller's actor: between this and the caller nothing else runs there.
            try scope.check()
            return response
        } catch var error as NetworkError {
            // Whoever has gone is told so, even if the time was up first.
            do { try scope.check() } catch let gone as NetworkError { error = gone }
            error.endpoint = name
            throw error
        }
    }

    /// Sends the request through the middlewares, and returns what comes back.
    private func answer<Access, Response>(
        to endpoint: Endpoint<Access, Response>,
        for scope: some RequestScope,
        _ context: NetworkRequestContext
    ) async throws -> NetworkAnswer {
        let request = try outgoing(endpoint.request)
        let innermost: NetworkMiddleware.Next = { head, body in
            let answer = try await exchange(Outgoing(head: head, body: body), endpoint.handling, for: scope, context)
            return (answer.head, answer.body)
        }
        let chain = options.middlewares.reversed().reduce(innermost) { next, middleware in
            { head, body in try await middleware.intercept(head, body: body, context: context, next: next) }
        }
        do {
            let (head, body) = try await chain(request.head, request.body)
            return NetworkAnswer(head: head, body: body)
        } catch _ where Task.isCancelled {
            throw CancellationError()
        } catch {
            try scope.check()
            throw error as? NetworkError ?? .middlewareFailed(error)
        }
    }

    /// The innermost step: answers from the cache, or attaches the credential and sends.
    private func exchange(
        _ request: Outgoing,
        _ handling: EndpointHandling,
        for scope: some RequestScope,
        _ context: NetworkRequestContext
    ) async throws -> NetworkAnswer {
        guard base.isOrigin(of: request.head) else { throw NetworkError.originChanged }
        return try await cache.answer(
            to: request.head,
            body: request.body,
            in: scope.partition,
            noOlderThan: handling.cacheAge
        ) {
            try await scope.authorizing { token in
                try await send(request, accessToken: token, for: scope, context)
            } isRefused: { answer in
                handling.isAuthenticationFailure(answer.head)
            }
        }
    }

    /// Sends a request once and tells the observer.
    ///
    /// - Throws: `NetworkError`, or `CancellationError` when the task was cancelled, whatever the transport made of it.
    private func send(
        _ request: Outgoing,
        accessToken: AccessToken?,
        for scope: some RequestScope,
        _ context: NetworkRequestContext
    ) async throws -> NetworkAnswer {
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
            return NetworkAnswer(head: response, body: body)
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

    private func outgoing(_ request: EndpointRequest) throws -> Outgoing {
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
        return Outgoing(head: head, body: body)
    }

    private func decode<Access, Response>(
        _ answer: NetworkAnswer,
        from endpoint: Endpoint<Access, Response>
    ) throws -> Response {
        guard answer.head.status.kind == .successful else { throw refusal(answer, endpoint.handling) }
        do {
            return try endpoint.decode(answer.head, answer.body, options.decoder)
        } catch {
            // What cannot be read now cannot be read from the cache either.
            if endpoint.handling.cacheAge != nil { cache.removeAll(at: base.target(of: endpoint.request)) }
            throw error as? NetworkError ?? .undecodableResponse(error, from: answer.head)
        }
    }

    /// The error for an answer that is no success, with what the server says about it if that can be read.
    private func refusal(_ answer: NetworkAnswer, _ handling: EndpointHandling) -> NetworkError {
        let describesErrors = [.clientError, .serverError].contains(answer.head.status.kind)
        let type = describesErrors ? handling.errorType ?? options.errorType : nil
        // A body that is something else, like a proxy's page, is no reason to hide the refusal itself.
        let description = type.flatMap { try? options.decoder.decode($0, from: answer.body) }
        return .refused(answer.head, body: answer.body, cause: description)
    }
}
