public import Foundation
public import HTTPTypes

/// A request that a ``NetworkStub`` was sent.
public struct StubbedRequest: Sendable, CustomStringConvertible {
    /// The method.
    public let method: HTTPRequest.Method
    /// The path, without the query, as it was sent.
    public let path: String
    /// What follows the question mark, as it was sent; nil where there is none.
    public let query: String?
    /// The header fields.
    public let headerFields: HTTPFields
    /// The body, if there is one.
    public let body: Data?

    init(_ request: HTTPRequest, body: Data?) {
        let parts = (request.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = request.method
        path = parts.first.map(String.init) ?? ""
        query = parts.count > 1 ? String(parts[1]) : nil
        headerFields = request.headerFields
        self.body = body
    }

    /// The access token in the `Authorization` field, if there is one.
    public var bearer: String? {
        guard let field = headerFields[.authorization], field.hasPrefix("Bearer ") else { return nil }
        return String(field.dropFirst("Bearer ".count))
    }

    /// The body, read as JSON.
    ///
    /// - Parameter type: what to read it as.
    /// - Returns: the value.
    /// - Throws: what decoding throws; without a body it is as if that were empty.
    public func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: body ?? Data())
    }

    /// The method and the path.
    public var description: String { "\(method) \(path)" }
}
