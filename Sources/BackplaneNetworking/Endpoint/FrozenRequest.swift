package import Foundation
package import HTTPTypes

/// A request as it is written to a file: its bytes, without a server and without credentials (D2).
///
/// Every attempt sends the same bytes, also after a new version of the app has started. What an
/// endpoint decides about its responses is not part of it.
package struct FrozenRequest: Codable, Hashable, Sendable {
    private struct Field: Codable, Hashable {
        let name: String
        let value: String
    }

    private let method: String
    private var path: String
    private var query: String
    private let headers: [Field]
    private let contentType: String?
    private var body: Data?
    /// In milliseconds.
    private let timeout: Int64?

    /// Writes down a request.
    ///
    /// - Throws: ``NetworkError`` if the request cannot be sent.
    private init(_ request: EndpointRequest, encoder: JSONEncoder) throws {
        if let problem = request.path.problem { throw NetworkError.invalidEndpoint(problem) }
        method = request.method.rawValue
        path = request.path.encoded
        query = request.query.encoded
        headers = request.headers.map { Field(name: $0.name.rawName, value: $0.value) }
        contentType = request.body?.contentType
        do {
            body = try request.body?.encode(encoder)
        } catch {
            throw NetworkError.unencodableBody(error)
        }
        timeout = request.timeout.map {
            $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000
        }
    }

    /// Writes down the request of an endpoint.
    ///
    /// - Throws: ``NetworkError`` if the request cannot be sent.
    package init<Access, Response>(_ endpoint: KeyedEndpoint<Access, Response>, encoder: JSONEncoder) throws {
        var request = endpoint.idempotencyKey("").request
        request.headers[.idempotencyKey] = nil
        try self.init(request, encoder: encoder)
    }

    /// The method and the path, to name the request in a log.
    package var name: String { "\(method) /\(path)" }

    /// Returns the request with another ID in the path, the query and the body.
    ///
    /// - Precondition: The request was never sent.
    package func replacing(_ old: String, with new: String) -> FrozenRequest {
        var copy = self
        copy.path = path.replacing(old, with: new)
        copy.query = query.replacing(old, with: new)
        if let text = body.flatMap({ String(data: $0, encoding: .utf8) }) {
            copy.body = Data(text.replacing(old, with: new).utf8)
        }
        return copy
    }

    /// Returns the request with the header fields of one delivery.
    func request(key: String, entityTag: String?) -> EndpointRequest {
        var fields = HTTPFields()
        for header in headers {
            if let name = HTTPField.Name(header.name) { fields.append(HTTPField(name: name, value: header.value)) }
        }
        fields[.idempotencyKey] = key
        if let entityTag { fields[.ifMatch] = entityTag }
        return EndpointRequest(
            method: HTTPRequest.Method(rawValue: method) ?? .post,
            path: EndpointPath(encoded: path),
            query: EndpointQuery(encoded: query),
            headers: fields,
            body: body.map { EndpointBody.data($0, contentType: contentType) },
            timeout: timeout.map { .milliseconds($0) }
        )
    }
}

/// A successful response as the server sent it.
package struct ServerReply: Sendable {
    package let response: HTTPResponse
    package let body: Data

    package init(response: HTTPResponse, body: Data) {
        self.response = response
        self.body = body
    }

    /// The entity tag of the response.
    package var entityTag: String? { response.headerFields[.eTag] }
}

/// The session of one user: the time from a log-in to its end.
package struct SignIn: Hashable, Sendable {
    let epoch: Int
}

extension AuthenticatedNetworkController {
    /// Writes down the request of an endpoint, with a body from the encoder of this controller.
    package func freeze<Response>(_ endpoint: AuthenticatedKeyedEndpoint<Response>) throws -> FrozenRequest {
        try FrozenRequest(endpoint, encoder: options.encoder)
    }

    /// The session of the user who is signed in now.
    package var signIn: SignIn { SignIn(epoch: makeScope().request.epoch) }

    /// Sends a request that was written down, with the credentials of one user.
    ///
    /// - Parameters:
    ///   - frozen: The request.
    ///   - key: The idempotency key.
    ///   - entityTag: The entity tag for `If-Match`, or `nil` for a request without a condition.
    ///   - signIn: The session of the user whose request it is. If it has ended, nothing is sent,
    ///     also if another user is signed in.
    /// - Returns: A response with a successful status.
    /// - Throws: ``NetworkError``, or `CancellationError` if the task is cancelled.
    package func send(
        _ frozen: FrozenRequest,
        key: String,
        entityTag: String?,
        as signIn: SignIn
    ) async throws -> ServerReply {
        let endpoint = AuthenticatedEndpoint<ServerReply>(frozen.request(key: key, entityTag: entityTag)) {
            response,
            body,
            _ in
            ServerReply(response: response, body: body)
        }
        let current = makeScope()
        let scope = UserScope(
            session: current.session,
            request: UserRequest(epoch: signIn.epoch),
            partition: current.partition
        )
        return try await request(endpoint, for: scope)
    }

    /// Decodes the response of a request that was written down.
    package func decode<Response>(
        _ reply: ServerReply,
        from endpoint: AuthenticatedKeyedEndpoint<Response>
    ) throws -> Response {
        try endpoint.idempotencyKey("").decode(reply.response, reply.body, options.decoder)
    }
}
