internal import Foundation
public import HTTPTypes

/// The request of an endpoint: a method and a path, and optionally a query, header fields and a
/// body.
///
/// It contains no server and no credentials. A controller adds both. For other methods, such as
/// HEAD, use the initializer.
///
/// ```swift
/// .get("courses/\(id)/todos", query: ["page": 2])
/// .post("login", body: .json(credentials))
/// ```
public struct EndpointRequest: Sendable {
    /// The method, GET by default.
    package var method: HTTPRequest.Method

    /// The path below the path of the base URL.
    package var path: EndpointPath

    /// The query, empty by default.
    package var query: EndpointQuery

    /// More header fields.
    ///
    /// They replace the fields that the module sets by default (`Accept`, `Content-Type`). The
    /// exception is `Authorization`: an ``AuthenticatedNetworkController`` always sets its own.
    public var headers: HTTPFields

    /// The body, if there is one.
    package var body: EndpointBody?

    /// The time that the whole request may take, including retries; `nil` means
    /// ``NetworkOptions/timeout``.
    package var timeout: Duration?

    /// Creates a request from its parts.
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
    /// Returns a GET request, which reads.
    public static func get(_ path: EndpointPath, query: EndpointQuery = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .get, path: path, query: query, headers: headers)
    }

    /// Returns a POST request, which submits data for processing.
    public static func post(
        _ path: EndpointPath,
        query: EndpointQuery = [:],
        headers: HTTPFields = [:],
        body: EndpointBody? = nil
    ) -> Self {
        Self(method: .post, path: path, query: query, headers: headers, body: body)
    }

    /// Returns a PUT request, which replaces the resource at the path.
    public static func put(
        _ path: EndpointPath,
        query: EndpointQuery = [:],
        headers: HTTPFields = [:],
        body: EndpointBody? = nil
    ) -> Self {
        Self(method: .put, path: path, query: query, headers: headers, body: body)
    }

    /// Returns a PATCH request, which changes part of the resource at the path.
    public static func patch(
        _ path: EndpointPath,
        query: EndpointQuery = [:],
        headers: HTTPFields = [:],
        body: EndpointBody? = nil
    ) -> Self {
        Self(method: .patch, path: path, query: query, headers: headers, body: body)
    }

    /// Returns a DELETE request, which removes the resource at the path.
    public static func delete(_ path: EndpointPath, query: EndpointQuery = [:], headers: HTTPFields = [:]) -> Self {
        Self(method: .delete, path: path, query: query, headers: headers)
    }
}

extension EndpointRequest {
    /// The request with an `Accept` field for JSON, unless it has such a field.
    var acceptingJSON: Self {
        var request = self
        request.headers[.accept] = headers[.accept] ?? "application/json"
        return request
    }

    /// The header fields to send, with the media type of the body.
    var fields: HTTPFields {
        var fields = HTTPFields()
        fields[.contentType] = body?.contentType
        for field in headers { fields[fields: field.name] = headers[fields: field.name] }
        return fields
    }

    /// Returns the bytes of the body.
    ///
    /// - Throws: `NetworkError` if the value cannot be encoded.
    func encodedBody(by encoder: JSONEncoder) throws -> Data? {
        do {
            return try body?.encode(encoder)
        } catch {
            throw NetworkError.unencodableBody(error)
        }
    }
}

extension EndpointRequest: Redacted {
    var redactedSummary: String { "redacted, \(method) \(path.encoded)" }
}
