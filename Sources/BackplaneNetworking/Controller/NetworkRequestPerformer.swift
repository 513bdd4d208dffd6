internal import Foundation
internal import HTTPTypes

/// What both controllers perform requests with: it joins endpoint, server and token to an HTTP request, sends it, and reads
/// the answer.
struct NetworkRequestPerformer: Sendable {
    /// What goes over the wire, but for the token.
    ///
    /// Encoded once, so that a retry sends the same bytes.
    struct Outgoing: Sendable {
        var head: HTTPRequest
        let body: Data?
        /// The path without its query, which is all of the URL that errors and logs may show.
        let path: String

        var name: String { "\(head.method) \(path)" }
    }

    /// What came back.
    struct Answer: Sendable {
        let head: HTTPResponse
        let body: Data
    }

    let base: BaseURL
    let transport: any NetworkTransport
    let options: NetworkOptions

    /// Performs `endpoint` within its time, or throws a `NetworkError` about it or `CancellationError`.
    ///
    /// `exchange` sends the request, by `send`, with whatever token it needs and as often as it takes.
    func perform<Access, Response>(
        _ endpoint: Endpoint<Access, Response>,
        exchange: @escaping @Sendable (Outgoing, Deadline) async throws -> Answer
    ) async throws -> Response {
        let deadline = Deadline(in: endpoint.request.timeout ?? options.timeout, on: options.clock)
        do {
            return try await deadline.limit {
                let answer = try await exchange(try outgoing(endpoint.request), deadline)
                return try decode(answer, from: endpoint)
            }
        } catch var error as NetworkError {
            error.endpoint = "\(endpoint.request.method) \(base.path(of: endpoint.request))"
            throw error
        }
    }

    /// Sends a request once and tells the observer.
    ///
    /// - Throws: `NetworkError`, or `CancellationError` when the task was cancelled, whatever the transport made of it.
    func send(_ outgoing: Outgoing, accessToken: AccessToken?, within deadline: Deadline) async throws -> Answer {
        try Task.checkCancellation()
        var head = outgoing.head
        if let accessToken { head.headerFields[.authorization] = "Bearer \(accessToken.rawValue)" }
        let stopwatch = Stopwatch(options.clock)
        func observe(_ outcome: NetworkObservation.Outcome) {
            options.observe?(
                NetworkObservation(
                    method: head.method,
                    path: outgoing.path,
                    outcome: outcome,
                    duration: stopwatch.elapsed
                )
            )
        }
        do {
            let (response, body) = try await transport.send(
                head,
                body: outgoing.body,
                responseLimit: options.responseLimit
            )
            observe(.answered(response.status))
            return Answer(head: response, body: body)
        } catch _ where Task.isCancelled {
            // Running out of time cancels as well; for a log it is something else than a caller that left.
            observe(deadline.hasPassed ? .failed(.timedOut) : .cancelled)
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
        return Outgoing(head: head, body: body, path: base.path(of: request))
    }

    private func decode<Access, Response>(
        _ answer: Answer,
        from endpoint: Endpoint<Access, Response>
    ) throws -> Response {
        guard answer.head.status.kind == .successful else {
            throw NetworkError.refused(answer.head, body: answer.body)
        }
        do {
            return try endpoint.decode(answer.head, answer.body, options.decoder)
        } catch let error as NetworkError {
            throw error
        } catch {
            throw NetworkError.undecodableResponse(error, from: answer.head)
        }
    }
}
