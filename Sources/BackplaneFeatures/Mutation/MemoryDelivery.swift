internal import BackplaneConcurrency

/// The delivery of a change that exists only in memory: sends it until its outcome is known.
///
/// It has the rules and the delays of an outbox. Nothing tells it of a log-in, an update of the app
/// or a decision, so it tries again after a wait.
final class MemoryDelivery {
    private var entry = ChangeEntry()
    /// The error of the last attempt without an outcome.
    private var error: (any Error)?
    /// Whether the next attempt waits.
    private(set) var isWaiting = false
    private var timer: Task<Void, Never>?

    var progress: MutationProgress { MutationProgress(status: isWaiting ? entry.progress : .sending, error: error) }

    /// Sends the change until its outcome is known.
    ///
    /// - Parameters:
    ///   - clock: the clock for the waits between attempts.
    ///   - isDeletion: whether the change deletes something.
    ///   - isRejection: whether the app says that an error is a rejection.
    ///   - hasChanged: called after each change of `progress`; throws if the session has ended.
    ///   - send: makes one attempt.
    /// - Returns: the response; `nil` if a repeated deletion has found nothing to delete.
    /// - Throws: the error by which the server has refused the change, or the error of
    ///   `hasChanged`.
    func response<Response>(
        on clock: any Clock<Duration>,
        isDeletion: Bool,
        isRejection: (any Error) -> Bool,
        hasChanged: () throws -> Void,
        _ send: () async throws -> Response
    ) async throws -> Response? {
        while true {
            let isFirst = entry.begin()
            do {
                return try await RetryPolicy.changes.retrying(send)
            } catch {
                let isRejection = isRejection(error)
                if entry.end(with: error, isFirst: isFirst, isRejection: isRejection, isDeletion: isDeletion) {
                    return nil
                }
                if entry.state.isRefused { throw error }
                self.error = error
            }
            isWaiting = true
            try hasChanged()
            // The app may have asked for the attempt while its observers learned of the error.
            if isWaiting { await wait(for: .milliseconds(entry.notBefore), on: clock) }
            isWaiting = false
            try hasChanged()
        }
    }

    private func wait(for delay: Duration, on clock: any Clock<Duration>) async {
        let timer = Task<Void, Never>.detached { try? await clock.sleep(for: delay) }
        self.timer = timer
        await timer.value
    }

    /// Ends the wait for the next attempt, and makes later waits short again.
    func hurry() {
        (isWaiting, entry.attempts) = (false, 0)
        timer?.cancel()
    }
}

extension ChangeEntry {
    /// Notes that an attempt begins in memory, and returns whether no earlier attempt has an
    /// unknown outcome.
    mutating func begin() -> Bool {
        let isFirst = firstSentAt == nil
        self = sent(at: 0)
        return isFirst
    }

    /// Notes the error of an attempt in memory, and returns whether the server has carried out the
    /// change all the same.
    mutating func end(with error: any Error, isFirst: Bool, isRejection: Bool, isDeletion: Bool = false) -> Bool {
        let failure = error as? any ServerFailure
        let reply: ChangeReply =
            if let status = failure?.statusCode {
                .status(status, reason: nil, retryAfter: failure?.retryAfter)
            } else {
                // N23: A request that cannot be sent says nothing about an earlier attempt.
                isRejection && (isFirst || failure == nil)
                    ? .impossible(reason: nil) : .noResponse(reason: nil, retryAfter: failure?.retryAfter)
            }
        let attempt = ChangeAttempt(
            isFirst: isFirst,
            // A server that refuses the credentials has carried out nothing.
            mayHaveArrived: failure?.statusCode != 401,
            isDeletion: isDeletion,
            isRejection: isRejection
        )
        let jitter = { (bound: Duration) in bound * Double.random(in: 0...1) }
        switch settled(by: reply, to: attempt, at: 0, jitter: jitter) {
        case .acknowledged: return true
        case .continues(let entry):
            self = entry.unattended(after: failure?.retryAfter, at: 0, jitter: jitter)
            return false
        }
    }
}
