internal import BackplaneConcurrency
package import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Whether the server may have received a request, and may have carried it out.
///
/// A request can fail before it reaches the transport, for example when the tokens cannot be
/// refreshed. The transport may make no connection. And a server that refuses the access token has
/// not carried out the request. Every other request may have been carried out, whatever its error.
package final class Departure: Sendable {
    private struct State: Sendable {
        /// The number of times that the request was sent and perhaps carried out.
        var departures = 0
        /// Whether the last response refused the access token.
        var isRefused = false
    }

    private let state = Locked(State())

    package init() {}

    /// Whether the server may have carried out the request.
    package var mayHaveArrived: Bool { state.withLock { $0.departures > 0 } }

    /// Whether the last response refused the access token, by the rule of the endpoint.
    package var isRefused: Bool { state.withLock { $0.isRefused } }

    fileprivate func begin() {
        state.withLock { state in
            state.departures += 1
            state.isRefused = false
        }
    }

    /// Notes that the server has not carried out the request that was sent last.
    fileprivate func revoke(isRefused: Bool) {
        state.withLock { state in
            state.departures -= 1
            state.isRefused = isRefused
        }
    }
}

/// The scope of a user's request, which notes whether the request leaves.
struct DepartureScope: RequestScope {
    let user: UserScope
    let departure: Departure

    var partition: ResponseCache.Partition { user.partition }

    func check() throws { try user.check() }

    func checkDeparture() throws {
        try user.checkDeparture()
        departure.begin()
    }

    func authorize(
        _ send: (AccessToken?) async throws -> NetworkResponse,
        isRefused: (NetworkResponse) -> Bool
    ) async throws -> NetworkResponse {
        try await user.authorize { token in
            do {
                return try await send(token)
            } catch let error as NetworkError where error.wasNotSent {
                departure.revoke(isRefused: false)
                throw error
            }
        } isRefused: { response in
            guard isRefused(response) else { return false }
            departure.revoke(isRefused: true)
            return true
        }
    }
}

extension NetworkError {
    /// Whether the transport has made no connection, so that the server cannot have received the
    /// request.
    var wasNotSent: Bool {
        guard code == .transportFailed, let error = cause as? URLError else { return false }
        return Self.failuresToConnect.contains(error.code)
    }

    package static let failuresToConnect: Set<URLError.Code> = [
        .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
        .dataNotAllowed, .internationalRoamingOff, .appTransportSecurityRequiresSecureConnection,
        .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
        .serverCertificateNotYetValid,
    ]
}
