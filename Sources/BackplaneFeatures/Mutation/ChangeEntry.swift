internal import BackplaneConcurrency

/// The rules D3, D5, D14, D26 and D27 for one change, without a place where it is kept, a network
/// or a clock.
///
/// Each function takes the facts about a change, and returns how it continues. An outbox writes the
/// result in the same transaction as everything that belongs to it.
package struct ChangeEntry: Hashable, Sendable {
    package var state: DeliveryState
    package var attempts: Int
    /// The time of the next attempt in milliseconds; 0 if it need not wait.
    package var notBefore: Int64
    /// The time of the first attempt whose outcome is still unknown, in milliseconds.
    package var firstSentAt: Int64?
    package var status: Int?
    package var reason: String?

    /// Creates the entry of a change; by default of a new one.
    package init(
        state: DeliveryState = .queued,
        attempts: Int = 0,
        notBefore: Int64 = 0,
        firstSentAt: Int64? = nil,
        status: Int? = nil,
        reason: String? = nil
    ) {
        self.state = state
        self.attempts = attempts
        self.notBefore = notBefore
        self.firstSentAt = firstSentAt
        self.status = status
        self.reason = reason
    }
}

/// The part of a kind of changes that decides about sending them.
package struct ChangeRules: Sendable {
    /// The time for which the server remembers a key (D14).
    package let keyWindow: Duration
    /// Whether they may use the network that there is (D23).
    package let mayUseNetwork: Bool

    /// Creates the rules of a kind; by default those of changes in memory.
    package init(keyWindow: Duration = .seconds(24 * 60 * 60), mayUseNetwork: Bool = true) {
        self.keyWindow = keyWindow
        self.mayUseNetwork = mayUseNetwork
    }
}

/// The facts about an attempt that its end does not tell.
package struct ChangeAttempt: Hashable, Sendable {
    /// Whether no earlier attempt has an unknown outcome.
    package var isFirst: Bool
    /// Whether the server may have received the request, and may have carried it out.
    package var mayHaveArrived: Bool
    /// Whether the request deletes something.
    package var isDeletion: Bool
    /// Whether the app says that the server has refused it; `nil` if the status alone decides.
    package var isRejection: Bool?

    /// Creates the facts about an attempt.
    package init(
        isFirst: Bool = true,
        mayHaveArrived: Bool = true,
        isDeletion: Bool = false,
        isRejection: Bool? = nil
    ) {
        self.isFirst = isFirst
        self.mayHaveArrived = mayHaveArrived
        self.isDeletion = isDeletion
        self.isRejection = isRejection
    }
}

/// The end of an attempt.
package enum ChangeReply: Hashable, Sendable {
    case success
    /// A response with a status that is not successful.
    case status(Int, reason: String?, retryAfter: Duration?)
    /// The server has refused the credentials, or the session of the user has ended, perhaps after
    /// the request was sent.
    case unauthorized(status: Int? = nil, reason: String? = nil)
    /// No response arrived.
    case noResponse(reason: String?, retryAfter: Duration? = nil)
    /// No attempt can succeed.
    case impossible(reason: String?)
    /// The server has responded, but the response cannot be read.
    case unreadable(reason: String?)
    /// The attempt was ended here, as at a change of the account.
    case stopped

    /// Whether the user must sign in again.
    package var needsSignIn: Bool {
        if case .unauthorized = self { true } else { false }
    }
}

extension ChangeEntry {
    /// Whether a change may be sent.
    package enum Readiness: Hashable, Sendable {
        case ready
        /// Not before this time, in milliseconds.
        case later(Int64)
        /// Not on this network.
        case waitsForNetwork
        /// D10: This app cannot send it.
        case unsupported
        /// D14: The server may have forgotten its key.
        case expired
        /// Not in this state.
        case parked
        /// U4: It needs a change that the server has refused.
        case needsRefused
    }

    /// How a change continues after an attempt.
    package enum Verdict: Hashable, Sendable {
        /// The server has carried it out; it is removed.
        case acknowledged
        case continues(ChangeEntry)
    }

    /// A wait beyond this means that the clock was set back.
    private static let longestWait: Int64 = 2 * 60 * 60 * 1000

    /// Returns whether the change may be sent; without `rules`, this app cannot send its kind.
    package func readiness(at now: Int64, by rules: ChangeRules?) -> Readiness {
        guard state == .queued else { return .parked }
        guard let rules else { return .unsupported }
        if let firstSentAt, now - firstSentAt >= rules.keyWindow.milliseconds { return .expired }
        if notBefore > now, notBefore - now < Self.longestWait { return .later(notBefore) }
        return rules.mayUseNetwork ? .ready : .waitsForNetwork
    }

    /// D3: Notes that an attempt begins; an outbox writes it before the first byte is sent.
    package func sent(at now: Int64) -> ChangeEntry {
        var entry = self
        entry.state = .sending
        entry.attempts += 1
        entry.firstSentAt = firstSentAt ?? now
        return entry
    }

    /// D3: The state after a process has ended in mid-attempt: the same key and bytes are sent
    /// again.
    package var restarted: ChangeEntry {
        guard state == .sending else { return self }
        var entry = self
        (entry.state, entry.notBefore) = (.queued, 0)
        return entry
    }

    /// D5: Applies the reply to an attempt.
    ///
    /// - Parameters:
    ///   - reply: the end of the attempt.
    ///   - attempt: the attempt.
    ///   - now: the time in milliseconds.
    ///   - jitter: returns a random part of a wait.
    /// - Returns: whether the change is removed, or how it continues.
    package func settled(
        by reply: ChangeReply,
        to attempt: ChangeAttempt = ChangeAttempt(),
        at now: Int64,
        jitter: (Duration) -> Duration
    ) -> Verdict {
        var entry = self
        // An attempt that did not leave says nothing about the last response.
        if attempt.mayHaveArrived { entry.status = nil }
        // D26: Only a request that may have arrived starts the time of the key.
        if attempt.isFirst, !attempt.mayHaveArrived { entry.firstSentAt = nil }
        switch reply {
        case .success: return .acknowledged
        case .unauthorized(let status, let reason):
            (entry.state, entry.status, entry.reason) = (.waitingForSignIn, status, reason ?? entry.reason)
        case .impossible(let reason): (entry.state, entry.status, entry.reason) = (.refused, nil, reason)
        case .unreadable(let reason):
            (entry.state, entry.reason) = (.needsReview, reason)
            entry.pace(after: nil, at: now, jitter)
        case .stopped: (entry.state, entry.notBefore) = (.queued, 0)
        case .noResponse(let reason, let retryAfter):
            entry.reason = reason
            entry.wait(after: retryAfter, at: now, jitter)
        case .status(let status, let reason, let retryAfter):
            (entry.status, entry.reason) = (status, reason)
            switch Self.meaning(of: status, in: attempt) {
            case .carriedOut: return .acknowledged
            case .unclear: entry.wait(after: retryAfter, at: now, jitter)
            case .refused(let state):
                entry.state = state
                // Nothing else is unknown, or the server has spoken about this key.
                entry.firstSentAt = nil
                entry.pace(after: retryAfter, at: now, jitter)
            case .refusedOnlyNow(let state):
                entry.state = state
                entry.pace(after: retryAfter, at: now, jitter)
            }
        }
        return .continues(entry)
    }

    /// The meaning of a status for a change.
    private enum Meaning {
        /// The server has carried it out: its body cannot be read, or an earlier attempt has
        /// deleted it (D27).
        case carriedOut
        /// The server may have carried it out, or carries it out later.
        case unclear
        /// The server has definitely not carried it out, in any attempt.
        case refused(DeliveryState)
        /// The server has not carried it out in this attempt, and says nothing about earlier ones.
        case refusedOnlyNow(DeliveryState)
    }

    /// D5, D27: Returns the meaning of a status, as in the table of "Errors of a change".
    ///
    /// After an attempt without an outcome, only the server's own statement about the key makes the
    /// outcome known: see ``RequestOutcome``.
    private static func meaning(of status: Int, in attempt: ChangeAttempt) -> Meaning {
        let outcome = RequestOutcome(
            after: .response(status),
            isFirst: attempt.isFirst,
            hasKey: true,
            isDeletion: attempt.isDeletion
        )
        if outcome == .carriedOut {
            // The app may read a refusal in the body of a success.
            return status < 300 && attempt.isRejection == true ? .refused(.refused) : .carriedOut
        }
        if attempt.isRejection == false { return .unclear }
        // A 401 stands here only if the endpoint or the app says that it is no refusal of a token.
        let isOwnRefusal = status == 401 || attempt.isRejection == true
        switch outcome {
        case .refused where [409, 412].contains(status): return .refused(.conflict)
        case .refused: return .refused(status == 426 ? .waitingForUpdate : .refused)
        case _ where attempt.isFirst: return isOwnRefusal ? .refused(.refused) : .unclear
        // With 409, the request of the earlier attempt may still be in progress.
        case _ where [408, 409, 425, 429].contains(status) || !(400..<500).contains(status): return .unclear
        default: return .refusedOnlyNow(status == 426 ? .waitingForUpdate : .needsReview)
        }
    }

    /// D31: Notes how long the code of the app must wait if it sends the change again.
    ///
    /// It need not wait after a first attempt, so that one conflict is resolved at once.
    private mutating func pace(after asked: Duration?, at now: Int64, _ jitter: (Duration) -> Duration) {
        guard [.conflict, .needsReview].contains(state) else { return }
        notBefore = attempts > 1 || asked != nil ? time(after: asked, at: now, jitter) : 0
    }

    private mutating func wait(after asked: Duration?, at now: Int64, _ jitter: (Duration) -> Duration) {
        state = .queued
        notBefore = time(after: asked, at: now, jitter)
    }

    /// Returns the time of the next attempt.
    private func time(after asked: Duration?, at now: Int64, _ jitter: (Duration) -> Duration) -> Int64 {
        let delay = jitter(RetryPolicy.changes.bound(after: attempts)) + min(asked ?? .zero, .seconds(3600))
        // Without any wait, a lost connection would be tried again at once.
        return now + max(delay.milliseconds, 1)
    }

    /// Returns the change for a place where nothing tells of a sign-in, an update of the app or the
    /// outcome of an attempt: it is sent again after a wait.
    package func unattended(after asked: Duration?, at now: Int64, jitter: (Duration) -> Duration) -> ChangeEntry {
        var entry = self
        switch state {
        case .waitingForSignIn, .waitingForUpdate, .needsReview: entry.wait(after: asked, at: now, jitter)
        case .queued, .sending, .conflict, .refused: break
        }
        return entry
    }

    /// The progress of the change for its user.
    package var progress: PendingMutation.Status {
        switch state {
        case .sending: .sending
        case .queued, .waitingForSignIn, .waitingForUpdate: firstSentAt == nil ? .queued : .unconfirmed
        case .needsReview: .unconfirmed
        case .conflict, .refused: .failed
        }
    }

    /// D14, D21: Sends it again, because the user or the server has said so.
    ///
    /// - Parameters:
    ///   - now: the time in milliseconds.
    ///   - isUnsent: whether the server has said that it has not carried it out.
    ///   - isAutomatic: whether code has decided so, and not the user. It must wait as after any
    ///     attempt (D31).
    /// - Returns: the queued change.
    package func retried(at now: Int64, isUnsent: Bool, isAutomatic: Bool = false) -> ChangeEntry {
        var entry = self
        entry.state = .queued
        if !isAutomatic { (entry.notBefore, entry.attempts) = (0, 0) }
        if isUnsent || firstSentAt == nil {
            entry.firstSentAt = nil
        } else {
            // The server may still know it, so its bytes must not change. The time of its key
            // begins again only if somebody has accepted that it may take place twice.
            if state == .needsReview { entry.firstSentAt = now }
            entry.attempts = max(entry.attempts, 1)
        }
        return entry
    }

    /// D5, D19: Sends it again after the user has signed in, or the app has been updated, or the
    /// network is back.
    package var resumed: ChangeEntry {
        var entry = self
        switch state {
        case .queued: entry.notBefore = 0
        case .waitingForSignIn, .waitingForUpdate: (entry.state, entry.notBefore) = (.queued, 0)
        case .sending, .conflict, .needsReview, .refused: break
        }
        return entry
    }
}

extension Duration {
    /// The whole milliseconds; at most so many that two such times can be added.
    package var milliseconds: Int64 {
        let limit = Duration.milliseconds(Int64.max / 4)
        let (seconds, attoseconds) = max(min(self, limit), .zero - limit).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
