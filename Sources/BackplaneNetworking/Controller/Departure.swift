internal import BackplaneConcurrency
package import Foundation
internal import HTTPTypes

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The attempts of one request, and what is known about them.
///
/// A request can fail before it reaches the transport, for example when the tokens cannot be
/// refreshed. The transport may make no connection. And a server that refuses the access token has
/// not carried out the request. Every other request may have been carried out, whatever its error.
package final class Departure: Sendable {
    private struct State: Sendable {
        /// The number of times that the request was given to the transport.
        var attempts = 0
        /// The number of these attempts that the server has certainly not carried out.
        var revocations = 0
        /// Whether the last response refused the access token.
        var isRefused = false
        /// Whether the last attempt has an idempotency key.
        var hasKey = false
        var isDeletion = false
        /// The path and query of the last request.
        var target: String?
        /// The source of the last response.
        var source = ResponseSource.network
        /// The error of the first attempt whose outcome is unknown.
        var lost: NetworkError?
    }

    private let state = Locked(State())

    package init() {}

    /// Whether the server may have carried out the request.
    package var mayHaveArrived: Bool { state.withLock { $0.attempts > $0.revocations } }

    /// Whether the last response refused the access token, by the rule of the endpoint.
    package var isRefused: Bool { state.withLock { $0.isRefused } }

    /// The number of times that the request was given to the transport.
    var attempts: Int { state.withLock { $0.attempts } }

    /// Whether the outcome of an attempt is unknown.
    var isLost: Bool { state.withLock { $0.lost != nil } }

    /// The path and query of the last request, sent or not.
    var target: String? {
        get { state.withLock { $0.target } }
        set { state.withLock { $0.target = newValue } }
    }

    /// The source of the last response.
    var source: ResponseSource {
        get { state.withLock { $0.source } }
        set { state.withLock { $0.source = newValue } }
    }

    /// Notes that an attempt begins.
    func begin(_ request: HTTPRequest) {
        state.withLock { state in
            state.attempts += 1
            state.isRefused = false
            state.hasKey = request.hasIdempotencyKey
            state.isDeletion = request.method == .delete
        }
    }

    /// Notes that the server has not carried out the last attempt.
    func revoke(isRefused: Bool) {
        state.withLock { state in
            state.revocations += 1
            state.isRefused = isRefused
        }
    }

    /// Notes that the server may have carried out the last attempt, which ended with `error`.
    func lose(_ error: @autoclosure () -> NetworkError) {
        state.withLock { $0.lost = $0.lost ?? error() }
    }

    /// Returns the error of the whole request, whose last attempt ended with `error` (N23).
    ///
    /// Only the server's word about the key tells the outcome of an earlier attempt. Any other
    /// refusal is about the last attempt alone, and must not hide that the outcome is unknown.
    func conclusion(from error: NetworkError) -> NetworkError {
        let state = state.withLock { $0 }
        guard let lost = state.lost, error.isRefusal || error.code == .unauthorized else { return error }
        guard let status = error.statusCode else { return lost }
        let outcome = RequestOutcome(
            after: .response(status),
            isFirst: false,
            hasKey: state.hasKey,
            isDeletion: state.isDeletion
        )
        return outcome == .refused ? error : lost
    }
}

extension NetworkError {
    /// Whether the transport has made no connection, so that the server cannot have received the
    /// request.
    var wasNotSent: Bool {
        guard code == .transportFailed, let error = cause as? URLError else { return false }
        return Self.failuresToConnect.contains(error.code)
    }

    /// The errors by which a transport says that it has made no connection.
    package static let failuresToConnect: Set<URLError.Code> = [
        .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
        .dataNotAllowed, .internationalRoamingOff, .appTransportSecurityRequiresSecureConnection,
        .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
        .serverCertificateNotYetValid,
    ]
}
