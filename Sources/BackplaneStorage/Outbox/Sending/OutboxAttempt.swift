internal import BackplaneConcurrency
internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation

extension OutboxRow {
    /// The progress to show at the record.
    var progress: MutationProgress {
        let isWaiting = entry.reason != nil || entry.state == .waitingForSignIn
        return MutationProgress(
            status: entry.progress,
            isSaved: true,
            isUnsent: entry.firstSentAt == nil && entry.state != .sending,
            error: isWaiting ? operation.map { OutboxFailure(operation: $0) } : nil
        )
    }
}

extension OutboxRow {
    /// Returns the ended ticket of an operation that the server has refused; `nil` for any other
    /// one.
    func refusal(survives: Bool) -> OutboxTicket? {
        guard progress.status == .failed, let operation else { return nil }
        let ticket = OutboxTicket(operation.id, survives: survives, progress)
        ticket.finish(.failure(OutboxFailure(operation: operation)))
        return ticket
    }
}

extension OutboxOutcome {
    /// Creates the outcome of an attempt from its end.
    ///
    /// - Parameters:
    ///   - claim: The operation.
    ///   - end: The response, or the error of the attempt.
    ///   - departure: Whether the server may have received the request.
    ///   - resumptions: How often the user had signed in again when the attempt began.
    ///   - explain: Returns the text for the user about an error.
    init(
        of claim: OutboxClaim,
        _ end: Result<ServerReply, any Error>,
        _ departure: Departure,
        resumptions: Int,
        explaining explain: (NetworkError) -> String
    ) {
        let isFirst = claim.isFirst
        (row, self.resumptions) = (claim.row, resumptions)
        attempt = ChangeAttempt(
            isFirst: isFirst,
            mayHaveArrived: departure.mayHaveArrived,
            isDeletion: claim.request.isDeletion
        )
        switch end {
        case .success(let response): (reply, self.response) = (.success, response)
        case .failure(let error as NetworkError):
            let isAboutTokens = departure.isRefused
            reply = ChangeReply(error, isFirst: isFirst, isAboutTokens: isAboutTokens, reason: explain(error))
            theirs = error.body
        case .failure: reply = .stopped
        }
    }
}

extension ChangeReply {
    /// Reads what an error says about the outcome of an attempt (D5).
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - isFirst: Whether no earlier attempt has an unknown outcome.
    ///   - isAboutTokens: Whether the server has refused the access token, by the rule of the
    ///     endpoint (D37).
    ///   - reason: The text for the user.
    init(_ error: NetworkError, isFirst: Bool, isAboutTokens: Bool, reason: String) {
        switch error.code {
        case .signedOut, .sessionExpired: self = .unauthorized()
        case .invalidEndpoint, .originChanged, .invalidBaseURL:
            // N23: A request that cannot be sent says nothing about an earlier attempt.
            self = isFirst ? .impossible(reason: reason) : .noResponse(reason: reason)
        case .responseTooLarge: self = .unreadable(reason: reason)
        case .cancelled: self = .stopped
        default:
            if let status = error.statusCode {
                self =
                    isAboutTokens
                    ? .unauthorized(status: status, reason: reason)
                    : .status(status, reason: reason, retryAfter: error.retryAfter)
            } else {
                // Without a response, an error about the credentials is about known ones.
                self = error.code == .unauthorized ? .unauthorized(reason: reason) : .noResponse(reason: reason)
            }
        }
    }
}
