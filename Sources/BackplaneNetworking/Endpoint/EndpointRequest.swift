public import HTTPTypes

/// What an endpoint asks: a method and a path, and where needed a query, header fields and a body.
///
/// It knows no server and no credentials; a controller adds both.
///
/// ```swift
/// .get("courses/\(id)/todos", query: ["page": 2])
/// .post("login", body: .json(credentials))
/// ```
public struct EndpointRequest: Sendable {
    /// The method; GET by default.
    public var method: HTTPRequest.Method

    /// The path below the base URL's own.
    public var path: EndpointPath

    /// The query, empty by default.
    public var query: EndpointQuery

    /// Further header fields.
    ///
    /// They win over what is sent without being asked for (`Accept`, `Content-Type`), save for `Authorization`: an
    /// ``AuthenticatedNetworkController`` always sets its own.
    public var headers: HTTPFields

    /// The body, if there is one.
    public var body: EndpointBody?

    /// How long the whole request may take, retries included, if not what ``NetworkOptions/timeout`` says.
    public var timeout: Duration?

    /// A request of its parts.
    public init(
        method: HTTPRequest.Method = .get,
        path: EndpointPath,
        query: EndpointQuery = [:],
        headers: HTTPFields = [:],
        body: EndpointBody? = nil,
        timeout: Duration? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

extension EndpointRequest {
    /// A GET request, which reads.
    public static func get(
        _ path: EndpointPath,
        query: EndpointQuery = [:],
        headers: HTTPFields = [:]
    ) -> EndpointRequest {
        EndpointRequest(method: .get, path: path, query: query, headers: headers)
    }

    /// A HEAD request, whose answer is that to a GET without the body.
    ///
    /// What there is to know is in the header fields, which ``Endpoint/map(withAnswer:)`` gives access to.
    public static func head(
        _ path: EndpointPath,
        query: EndpointQuery = [:],
        headers: HTTPFields = [:]
    ) -> EndpointRequest {
        EndpointRequest(method: .head, path: path, query: query, headers: headers)
    }

    /// A POST request, which hands something over to be processed.
    public static func post(
        _ path: EndpointPath,
        query: EndpointQuery = [:],
        headers: HTTPFields = [:],
        body: EndpointBody? = nil
    ) -> EndpointRequest {
        EndpointRequest(method: .post, path: path, query: query, headers: headers, body: body)
    }

    /// A PUT request, which replaces what is at the path.
    public static func put(
        _ path: EndpointPath,
        query: EndpointQuery = [:],
        headers: HTTPFields = [:],
        body: EndpointBody? = nil
    ) -> EndpointRequest {
        EndpointRequest(method: .put, path: path, query: query, headers: headers, body: body)
    }

    /// A PATCH request, which changes part of what is at the path.
    public static func patch(
        _ path: EndpointPath,
        query: EndpointQuery = [:],
        headers: HTTPFields = [:],
        body: EndpointBody? = nil
    ) -> EndpointRequest {
        EndpointRequest(method: .patch, path: path, query: query, headers: headers, body: body)
    }

    /// A DELETE request, which removes what is at the path.
    public static func delete(
        _ path: EndpointPath,
        query: EndpointQuery = [:],
        headers: HTTPFields = [:]
    ) -> EndpointRequest {
        EndpointRequest(method: .delete, path: path, query: query, headers: headers)
    }
}

extension EndpointRequest: Redacted {
    var redactedSummary: String { "redacted, \(method) \(path.encoded)" }
}
