public import Foundation

/// The body of a request, with its media type.
///
/// A body is turned into bytes once per request; a retry sends the same bytes again. Printing a body does not show it.
public struct EndpointBody: Sendable {
    /// The media type, sent as `Content-Type`.
    public let contentType: String?

    let encode: @Sendable (JSONEncoder) throws -> Data

    /// `value` as JSON, written by the encoder from the controller's ``NetworkOptions``.
    public static func json(_ value: some Encodable & Sendable) -> EndpointBody {
        EndpointBody(contentType: "application/json") { encoder in try encoder.encode(value) }
    }

    /// `data` as it is.
    public static func data(_ data: Data, contentType: String? = nil) -> EndpointBody {
        EndpointBody(contentType: contentType) { _ in data }
    }
}

extension EndpointBody: Redacted {
    var redactedSummary: String { contentType ?? "no media type" }
}
