public import Foundation
public import HTTPTypes

/// A client that sends a request to a server and returns the response.
///
/// It has one function, so you can implement it with any HTTP client, or without a network in a
/// test:
///
/// ```swift
/// struct OfflineTransport: NetworkTransport {
///     func send(
///         _ request: HTTPRequest,
///         body: Data?,
///         responseLimit: Int
///     ) async throws -> (HTTPResponse, Data) {
///         throw URLError(.notConnectedToInternet)
///     }
/// }
/// ```
///
/// The module relies on these rules:
/// - The request is complete: method, scheme, authority, path with query, and all header fields.
///   The transport does not add fields about the request.
/// - A request that changes something is sent once. If no connection was made, the server has not
///   carried it out. After any other error, the server may have carried it out.
/// - An incomplete response is an error: a part of a body is never returned.
/// - A response of any status is returned with its body, not thrown. This includes redirects. They
///   are not followed, because the access token in the header fields would then go to another
///   server.
/// - Cancelling the task ends the call promptly. A call that is cancelled before it begins sends
///   nothing. Timeouts are not the task of the transport.
/// - A body larger than `responseLimit` bytes is not collected. The call throws
///   ``NetworkError/responseTooLarge(limit:)`` instead.
///
/// `NetworkTransportContract` of `BackplaneConformance` checks all of this for your own transport.
/// See <doc:WritingATransport>.
public protocol NetworkTransport: Sendable {
    /// Sends a request and returns the complete response.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - body: The body of the request, if it has one.
    ///   - responseLimit: The size of the largest body to accept, in bytes.
    /// - Returns: The status with the header fields, and the body.
    /// - Throws: `CancellationError` if the task is cancelled. `URLError`, such as
    ///   `cannotConnectToHost`, if no connection was made. Otherwise a `NetworkError` of the
    ///   transport, or any other error, which becomes the cause of a ``NetworkError``.
    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data)
}
