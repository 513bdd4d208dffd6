internal import BackplaneConcurrency

/// The rule D27 about the attempts with one key: which errors tell the outcome.
struct KeyedAttempts {
    /// The meaning of an error for all attempts with the key.
    enum End {
        /// The server has carried it out.
        case confirmed
        /// The server has refused it and has not carried it out.
        case refused
        /// The server may have carried it out.
        case unknown
    }

    /// Whether the server may have carried out an earlier attempt.
    private var isUnknown = false

    /// Notes the error of an attempt.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - isRejection: whether the error alone says that the server has refused.
    ///   - isDeletion: whether the request deletes something.
    /// - Returns: the meaning of the error.
    mutating func end(with error: any Error, isRejection: Bool, isDeletion: Bool = false) -> End {
        let failure = error as? any ServerFailure
        if isUnknown, isDeletion, failure?.isMissing == true { return .confirmed }
        if isRejection, !(isUnknown && error.leavesEarlierAttemptUnknown) { return .refused }
        // A server that refuses the credentials has carried out nothing.
        if failure?.statusCode != 401 { isUnknown = true }
        return .unknown
    }
}

/// The attempts to send the first mutation of a record, and the waits between them.
final class MutationAttempts {
    /// The error of the last attempt without an outcome.
    private(set) var error: (any Error)?
    /// Whether the next attempt waits, because the last one had no outcome.
    private(set) var isUnconfirmed = false
    private var attempts = KeyedAttempts()
    private var count = 0
    private var timer: Task<Void, Never>?

    /// Notes the error of an attempt.
    func end(with error: any Error, isRejection: Bool, isDeletion: Bool) -> KeyedAttempts.End {
        let end = attempts.end(with: error, isRejection: isRejection, isDeletion: isDeletion)
        guard case .unknown = end else { return end }
        count += 1
        (self.error, isUnconfirmed) = (error, true)
        return end
    }

    /// Suspends until the next attempt is due.
    func wait(on clock: any Clock<Duration>) async {
        // The app may have asked for the attempt while its observers learned of the error.
        guard isUnconfirmed else { return }
        var generator = SystemRandomNumberGenerator()
        let delay = (RetryPolicy.changes.delay(after: count, using: &generator) ?? .zero) + .asked(for: error)
        let timer = Task<Void, Never>.detached { try? await clock.sleep(for: delay) }
        self.timer = timer
        await timer.value
        isUnconfirmed = false
    }

    /// Ends the wait for the next attempt, and makes later waits short again.
    func hurry() {
        (count, isUnconfirmed) = (0, false)
        timer?.cancel()
    }
}
