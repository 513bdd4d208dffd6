public import Foundation
public import HTTPTypes

/// What carries a request to a server and its answer back.
///
/// One function, so that a transport is easily written over any HTTP client, or over nothing at all in a test:
///
/// ```swift
/// struct OfflineTransport: NetworkTransport {
///     func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
///         throw URLError(.notConnectedToInternet)
///     }
/// }
/// ```
///
/// What the module relies on:
/// - The request is complete: method, scheme, authority, path with query, and all header fields. Nothing is added to it
///   from a store of cookies or credentials.
/// - Half an answer is an error: a body that breaks off is not returned.
/// - Any status is an answer, not an error, redirects included: they are not followed, since the header fields, and with
///   them the access token, would go elsewhere.
/// - Cancelling the task ends the call promptly. Time-outs are not the transport's business.
/// - A body larger than `responseLimit` bytes is not collected; the call throws
///   ``NetworkError/responseTooLarge(limit:)`` instead.
///
/// `NetworkTransportContract` of `BackplaneTesting` checks all of this on a transport of your own: see
/// <doc:WritingATransport>.
public protocol NetworkTransport: Sendable {
    /// Sends a request and returns the whole answer.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - body: the bytes to send with it, if any.
    ///   - responseLimit: the largest body to accept, in bytes.
    /// - Returns: the status with the header fields, and the body.
    /// - Throws: `CancellationError` when the task is cancelled; otherwise any error, which becomes the cause of a
    ///   ``NetworkError``, or a `NetworkError` of the transport's own.
    func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data)
}
