public import Foundation

/// The body of a request, with its media type.
///
/// A body is a value in memory. It is encoded once per request, and every attempt sends the same
/// bytes, so any request can be repeated. Printing a body does not show its contents.
public struct EndpointBody: Sendable {
    /// The media type, sent as `Content-Type`.
    package let contentType: String?

    let encode: @Sendable (JSONEncoder) throws -> Data

    /// Returns a JSON body with `value`, encoded by the encoder from the controller's
    /// ``NetworkOptions``.
    public static func json(_ value: some Encodable & Sendable) -> EndpointBody {
        EndpointBody(contentType: "application/json") { encoder in try encoder.encode(value) }
    }

    /// Returns a form body with names and values, as in HTML forms and OAuth 2.0 (RFC 6749 appendix
    /// B).
    ///
    /// ```swift
    /// .post(
    ///     "token",
    ///     body: .form(["grant_type": "refresh_token", "refresh_token": token.rawValue])
    /// )
    /// ```
    public static func form(_ fields: EndpointQuery) -> EndpointBody {
        EndpointBody(contentType: "application/x-www-form-urlencoded") { _ in Data(fields.encoded.utf8) }
    }

    /// Returns a body with `data` unchanged.
    public static func data(_ data: Data, contentType: String? = nil) -> EndpointBody {
        EndpointBody(contentType: contentType) { _ in data }
    }
}

extension EndpointBody: Redacted {
    var redactedSummary: String { contentType ?? "no media type" }
}
