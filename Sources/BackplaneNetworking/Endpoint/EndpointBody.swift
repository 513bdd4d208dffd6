public import Foundation

/// The body of a request, with its media type.
///
/// Every body is a value in memory: it is turned into bytes once per request, and each attempt sends the same bytes, so
/// that any request can be repeated. Printing a body does not show it.
public struct EndpointBody: Sendable {
    /// The media type, sent as `Content-Type`.
    public let contentType: String?

    let encode: @Sendable (JSONEncoder) throws -> Data

    /// `value` as JSON, written by the encoder from the controller's ``NetworkOptions``.
    public static func json(_ value: some Encodable & Sendable) -> EndpointBody {
        EndpointBody(contentType: "application/json") { encoder in try encoder.encode(value) }
    }

    /// Names and values as HTML forms are sent, and as OAuth 2.0 wants them (RFC 6749 appendix B).
    ///
    /// ```swift
    /// .post("token", body: .form(["grant_type": "refresh_token", "refresh_token": token.rawValue]))
    /// ```
    public static func form(_ fields: EndpointQuery) -> EndpointBody {
        EndpointBody(contentType: "application/x-www-form-urlencoded") { _ in Data(fields.encoded.utf8) }
    }

    /// `data` as it is.
    public static func data(_ data: Data, contentType: String? = nil) -> EndpointBody {
        EndpointBody(contentType: contentType) { _ in data }
    }
}

extension EndpointBody: Redacted {
    var redactedSummary: String { contentType ?? "no media type" }
}
