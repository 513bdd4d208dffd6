public import Foundation
public import HTTPTypes

/// A request that was sent to a ``NetworkStub``.
public struct StubbedRequest: Sendable, CustomStringConvertible {
    /// The method.
    public let method: HTTPRequest.Method
    /// The path as it was sent, without the query.
    public let path: String
    /// The text after the question mark, as it was sent; `nil` if there is no query.
    public let query: String?
    /// The header fields.
    public let headerFields: HTTPFields
    /// The body; `nil` if there is none.
    public let body: Data?

    init(_ request: HTTPRequest, body: Data?) {
        let parts = (request.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = request.method
        path = parts.first.map(String.init) ?? ""
        query = parts.count > 1 ? String(parts[1]) : nil
        headerFields = request.headerFields
        self.body = body
    }

    /// The access token in the `Authorization` field; `nil` if there is none.
    public var bearer: String? {
        guard let field = headerFields[.authorization], field.hasPrefix("Bearer ") else { return nil }
        return String(field.dropFirst("Bearer ".count))
    }

    /// The key of an operation that the server must carry out only once, from the field
    /// `Idempotency-Key`; `nil` without the field.
    public var idempotencyKey: String? { headerFields.first { $0.name.canonicalName == "idempotency-key" }?.value }

    /// Decodes the body from JSON.
    ///
    /// - Parameter type: the type to decode.
    /// - Returns: the decoded value.
    /// - Throws: the error of the decoder; a missing body counts as empty.
    public func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: body ?? Data())
    }

    /// The method, the path and the query, as in `GET /messages?after=10`.
    public var description: String { "\(method) \(path)\(query.map { "?\($0)" } ?? "")" }
}
