internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation

/// The rules D3, D5, D10, D14, D26 and D27 for one operation, without a file, a network or a clock.
///
/// Each function takes the facts about an operation, and returns how it continues. ``OutboxFile``
/// writes the result in the same transaction as everything that belongs to it.
struct OutboxEntry: Hashable, Sendable {
    var kind: String
    var version: Int
    var state: OutboxOperation.State
    var attempts = 0
    /// The time of the next attempt in milliseconds; 0 if it need not wait.
    var notBefore: Int64 = 0
    /// The time of the first attempt whose outcome is still unknown, in milliseconds.
    var firstSentAt: Int64?
    var status: Int?
    var reason: String?
}

/// The facts about an attempt that its end does not tell.
struct OutboxAttempt: Hashable, Sendable {
    /// Whether no earlier attempt has an unknown outcome.
    var isFirst = true
    /// Whether the server may have received the request, and may have carried it out.
    var mayHaveArrived = true
    /// Whether the request deletes something.
    var isDeletion = false
}

/// The end of an attempt.
enum OutboxReply: Sendable {
    case success(ServerReply)
    /// A response with a status that is not successful.
    case status(Int, reason: String?, retryAfter: Duration?, body: Data?)
    /// The server has refused the credentials, or the session of the user has ended, perhaps after
    /// the request was sent.
    case unauthorized(status: Int? = nil, reason: String? = nil)
    /// No response arrived.
    case noResponse(reason: String)
    /// No attempt can succeed.
    case impossible(reason: String)
    /// The server has responded, but the response cannot be read.
    case unreadable(reason: String)
    /// The attempt was ended here, as at a change of the account.
    case stopped

    /// Whether the user must log in again.
    var needsLogIn: Bool {
        if case .unauthorized = self { true } else { false }
    }
}

extension OutboxEntry {
    /// Whether an operation may be sent.
    enum Readiness: Hashable, Sendable {
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
        /// U4: It needs an operation that the server has refused.
        case needsRefused
    }

    /// How an operation continues after an attempt.
    enum Verdict: Hashable, Sendable {
        /// The server has carried it out; it is removed.
        case acknowledged
        case continues(OutboxEntry)
    }

    /// A wait beyond this means that the clock was set back.
    private static let longestWait: Int64 = 2 * 60 * 60 * 1000

    func readiness(at now: Int64, kinds: [String: OutboxKind], isMetered: Bool) -> Readiness {
        guard state == .queued else { return .parked }
        guard let kind = kinds[kind], kind.versions.contains(version) else { return .unsupported }
        if let firstSentAt, now - firstSentAt >= kind.keyWindow.milliseconds { return .expired }
        if notBefore > now, notBefore - now < Self.longestWait { return .later(notBefore) }
        return isMetered && kind.network == .unmetered ? .waitsForNetwork : .ready
    }

    /// D3: Notes that an attempt begins; must be on the disk before the first byte is sent.
    func sent(at now: Int64) -> OutboxEntry {
        var entry = self
        entry.state = .sending
        entry.attempts += 1
        entry.firstSentAt = firstSentAt ?? now
        return entry
    }

    /// D3: The state after a process has ended in mid-attempt: the same key and bytes are sent
    /// again.
    var restarted: OutboxEntry {
        guard state == .sending else { return self }
        var entry = self
        (entry.state, entry.notBefore) = (.queued, 0)
        return entry
    }

    /// D5: Applies the reply to an attempt.
    ///
    /// - Parameters:
    ///   - reply: The end of the attempt.
    ///   - attempt: The attempt.
    ///   - now: The time in milliseconds.
    ///   - jitter: Returns a random part of a wait.
    /// - Returns: Whether the operation is removed, or how it continues.
    func settled(
        by reply: OutboxReply,
        to attempt: OutboxAttempt = OutboxAttempt(),
        at now: Int64,
        jitter: (Duration) -> Duration
    ) -> Verdict {
        var entry = self
        entry.status = nil
        // D26: Only a request that may have arrived starts the time of the key.
        if attempt.isFirst, !attempt.mayHaveArrived { entry.firstSentAt = nil }
        switch reply {
        case .success: return .acknowledged
        case .unauthorized(let status, let reason):
            (entry.state, entry.status, entry.reason) = (.waitingForLogIn, status, reason ?? entry.reason)
        case .impossible(let reason): (entry.state, entry.reason) = (.dead, reason)
        case .unreadable(let reason):
            (entry.state, entry.reason) = (.needsReview, reason)
            entry.pace(after: nil, at: now, jitter)
        case .stopped: (entry.state, entry.notBefore) = (.queued, 0)
        case .noResponse(let reason):
            entry.reason = reason
            entry.wait(after: nil, at: now, jitter)
        case .status(let status, let reason, let retryAfter, _):
            (entry.status, entry.reason) = (status, reason)
            // D27: A first attempt has deleted it.
            if attempt.isDeletion, !attempt.isFirst, [404, 410].contains(status) { return .acknowledged }
            switch Self.meaning(of: status, isFirst: attempt.isFirst) {
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

    /// The meaning of a status for an operation.
    private enum Meaning {
        /// The server may have carried it out, or carries it out later.
        case unclear
        /// The server has definitely not carried it out, in any attempt.
        case refused(OutboxOperation.State)
        /// The server has not carried it out in this attempt, and says nothing about earlier ones.
        case refusedOnlyNow(OutboxOperation.State)
    }

    /// D5, D27: Returns the meaning of a status.
    ///
    /// After an attempt without an outcome, only the server's own statement about the key makes the
    /// outcome known.
    private static func meaning(of status: Int, isFirst: Bool) -> Meaning {
        switch status {
        case 408, 425, 429: .unclear
        // The request of the earlier attempt may still be in progress.
        case 409 where !isFirst: .unclear
        case 409, 412: .refused(.conflict)
        case 426: isFirst ? .refused(.waitingForUpdate) : .refusedOnlyNow(.waitingForUpdate)
        case 400..<500:
            isFirst || IdempotencyKey.isKnown(byStatus: status) ? .refused(.dead) : .refusedOnlyNow(.needsReview)
        default: .unclear
        }
    }

    /// D31: Notes how long the code of the app must wait if it sends the operation again.
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
        return now + delay.milliseconds
    }

    /// U4: Whether the server has refused it for good, so that the later operations of its entity
    /// need not wait for it.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of the outbox.
    ///   - isConditional: Whether it is for one version of a record. Then a conflict is resolved
    ///     before the later operations, which are for the version after it.
    /// - Returns: Whether it leaves the line.
    func isRefused(kinds: [String: OutboxKind], isConditional: Bool) -> Bool {
        switch state {
        case .dead: kinds[kind]?.blocksFollowing != true
        case .conflict: !isConditional && kinds[kind]?.blocksFollowing != true
        case .queued, .sending, .waitingForLogIn, .waitingForUpdate, .needsReview: false
        }
    }

    /// D14, D21: Sends it again, because the user or the server has said so.
    ///
    /// - Parameters:
    ///   - now: The time in milliseconds.
    ///   - isUnsent: Whether the server has said that it has not carried it out.
    ///   - isAutomatic: Whether code has decided so, and not the user. It must wait as after any
    ///     attempt (D31).
    /// - Returns: The queued operation.
    func retried(at now: Int64, isUnsent: Bool, isAutomatic: Bool = false) -> OutboxEntry {
        var entry = self
        entry.state = .queued
        if !isAutomatic { (entry.notBefore, entry.attempts) = (0, 0) }
        if isUnsent || firstSentAt == nil {
            entry.firstSentAt = nil
        } else {
            // The server may still know it, so its bytes must not change.
            (entry.firstSentAt, entry.attempts) = (now, max(entry.attempts, 1))
        }
        return entry
    }

    /// D5, D19: Sends it again after the user has logged in, or the app has been updated, or the
    /// network is back.
    var resumed: OutboxEntry {
        var entry = self
        switch state {
        case .queued: entry.notBefore = 0
        case .waitingForLogIn, .waitingForUpdate: (entry.state, entry.notBefore) = (.queued, 0)
        case .sending, .conflict, .needsReview, .dead: break
        }
        return entry
    }
}

extension Duration {
    /// The whole milliseconds; at most so many that two such times can be added.
    var milliseconds: Int64 {
        let limit = Duration.milliseconds(Int64.max / 4)
        let (seconds, attoseconds) = max(min(self, limit), .zero - limit).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
