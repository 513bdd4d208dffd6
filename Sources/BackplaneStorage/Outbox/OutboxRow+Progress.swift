internal import BackplaneConcurrency
internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension OutboxRow {
    /// The progress to show at the record.
    var progress: MutationProgress {
        let isUnsent = entry.firstSentAt == nil
        let status: PendingMutation.Status =
            switch entry.state {
            case .sending: .sending
            case .queued, .waitingForLogIn, .waitingForUpdate: isUnsent ? .queued : .unconfirmed
            case .needsReview: .unconfirmed
            case .conflict, .dead: .failed
            }
        let isWaiting = entry.reason != nil || entry.state == .waitingForLogIn
        return MutationProgress(
            status: status,
            isSaved: true,
            isUnsent: isUnsent && entry.state != .sending,
            error: isWaiting ? operation.map { OutboxDelay(operation: $0) } : nil
        )
    }
}

/// The error of an operation of an ``Outbox`` that is not confirmed yet and is still sent.
///
/// For a change of a record it is the `cause` of the error of its `PendingMutation`.
public struct OutboxDelay: Error, Sendable {
    /// The operation after its last attempt.
    public let operation: OutboxOperation
}

extension OutboxDelay: ServerFailure {
    package var isRefusal: Bool { false }
    package var isMissing: Bool { false }
    package var statusCode: Int? { operation.status }
    package var reason: String? { operation.reason }
    package var retryAfter: Duration? { nil }
}

extension AuthenticatedNetworkController {
    /// Makes one attempt to send an operation, with the credentials of one session.
    ///
    /// - Parameters:
    ///   - row: The operation.
    ///   - signIn: The session.
    ///   - explain: Returns the text for the user about an error.
    /// - Returns: The end of the attempt.
    func reply(
        to row: OutboxRow,
        as signIn: SignIn,
        explaining explain: (NetworkError) -> String
    ) async -> OutboxReply {
        guard let request = row.frozenRequest else { return .impossible(reason: "The request in the file is damaged.") }
        do {
            return try await Retrying.$isUnderWay.withValue(true) {
                .success(try await send(request, key: row.id, entityTag: row.entityTag, as: signIn))
            }
        } catch let error as NetworkError {
            return OutboxReply(error, reason: explain(error))
        } catch {
            return .stopped
        }
    }
}

extension OutboxReply {
    /// Reads what an error says about the outcome of an attempt (D5).
    init(_ error: NetworkError, reason: String) {
        switch error.code {
        case .unauthorized: self = .status(401, reason: reason, retryAfter: nil, body: nil)
        case .signedOut, .sessionExpired: self = .unauthorized
        case .invalidEndpoint, .originChanged, .insecureBaseURL, .invalidBaseURL, .unencodableBody:
            self = .impossible(reason: reason)
        case .responseTooLarge: self = .unreadable(reason: reason)
        case .cancelled: self = .stopped
        default:
            if let status = error.statusCode {
                self = .status(status, reason: reason, retryAfter: error.retryAfter, body: error.body?.data)
            } else {
                self = error.wasNotSent ? .notSent(reason: reason) : .noResponse(reason: reason)
            }
        }
    }
}

extension NetworkError {
    /// Whether no connection to the server was made.
    fileprivate var wasNotSent: Bool {
        guard code == .transportFailed, let error = cause as? URLError else { return false }
        return [.cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet].contains(error.code)
    }
}
