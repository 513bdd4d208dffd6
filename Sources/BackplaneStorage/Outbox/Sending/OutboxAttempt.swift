internal import BackplaneConcurrency
internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation

extension OutboxRow {
    /// The progress to show at the record.
    var progress: MutationProgress {
        let isWaiting = entry.reason != nil || entry.state == .waitingForLogIn
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

extension AuthenticatedNetworkController {
    /// Makes one attempt to send an operation, with the credentials of one session.
    ///
    /// - Parameters:
    ///   - claim: The operation.
    ///   - signIn: The session.
    ///   - resumptions: How often the user has logged in again.
    ///   - explain: Returns the text for the user about an error.
    /// - Returns: The end of the attempt, and the other facts about it.
    func outcome(
        of claim: OutboxClaim,
        as signIn: SignIn,
        _ resumptions: Int,
        explaining explain: (NetworkError) -> String
    ) async -> OutboxOutcome {
        let (row, request) = (claim.row, claim.request)
        func outcome(_ reply: ChangeReply, mayHaveArrived: Bool, isDeletion: Bool = false) -> OutboxOutcome {
            let attempt = ChangeAttempt(isFirst: claim.isFirst, mayHaveArrived: mayHaveArrived, isDeletion: isDeletion)
            return OutboxOutcome(row: row, reply: reply, attempt: attempt, resumptions: resumptions)
        }
        let departure = Departure()
        var (response, theirs): (ServerReply?, Data?)
        let reply: ChangeReply
        do {
            response = try await Retrying.$isUnderWay.withValue(true) {
                try await send(request, key: row.id, entityTag: row.entityTag, as: signIn, noting: departure)
            }
            reply = .success
        } catch let error as NetworkError {
            let isAboutTokens = departure.isRefused
            reply = ChangeReply(error, isFirst: claim.isFirst, isAboutTokens: isAboutTokens, reason: explain(error))
            theirs = error.body
        } catch {
            reply = .stopped
        }
        var end = outcome(reply, mayHaveArrived: departure.mayHaveArrived, isDeletion: request.isDeletion)
        (end.response, end.theirs) = (response, theirs)
        return end
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
