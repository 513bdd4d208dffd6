internal import BackplaneConcurrency

/// The delivery of a change that exists only in memory: sends it until its outcome is known.
///
/// It has the rules and the delays of an outbox. Nothing tells it of a sign-in or an update of the
/// app, so it tries again after a wait.
///
/// It is no ``MutationDelivery``. That one has a mutation from the moment when it is made, is used
/// from any thread, and may end in another process. This one begins when the turn of its mutation
/// has come. It belongs to the actor of the record, and its response is the outcome.
final class MemoryDelivery {
    private var entry = ChangeEntry()
    /// The error of the last attempt without an outcome.
    private var error: (any Error)?
    /// Whether the next attempt waits.
    private(set) var isWaiting = false
    private let clock: any Clock<Duration>
    private let elapsed: () -> Duration
    private let signal = Signal()

    init(on clock: any Clock<Duration>) {
        self.clock = clock
        elapsed = clock.stopwatch()
    }

    var progress: MutationProgress { MutationProgress(status: isWaiting ? entry.progress : .sending, error: error) }

    /// Whether no attempt is under way, and none has left, so that no load contains the change.
    var isUnsent: Bool { isWaiting && entry.firstSentAt == nil }

    /// The time since the delivery has begun, in milliseconds.
    private var now: Int64 { elapsed().milliseconds }

    private var readiness: ChangeEntry.Readiness { entry.readiness(at: now, by: ChangeRules()) }

    /// Sends the change until its outcome is known.
    ///
    /// - Parameters:
    ///   - isDeletion: whether the change deletes something.
    ///   - isRejection: whether the app says that an error is a rejection.
    ///   - hasChanged: called after each change of `progress`; throws if the session has ended.
    ///   - send: makes one attempt.
    /// - Returns: the response; `nil` if a repeated deletion has found nothing to delete.
    /// - Throws: the error by which the server has refused the change, or the error of
    ///   `hasChanged`.
    func response<Response>(
        isDeletion: Bool,
        isRejection: (any Error) -> Bool,
        hasChanged: () throws -> Void,
        _ send: () async throws -> Response
    ) async throws -> Response? {
        while true {
            let isFirst = entry.begin(at: now)
            do {
                return try await RetryPolicy.changes.retrying(send)
            } catch {
                let isRejection = isRejection(error)
                if entry.end(with: error, at: now, isFirst: isFirst, isRejection: isRejection, isDeletion: isDeletion) {
                    return nil
                }
                if entry.state.hasFailed { throw error }
                self.error = error
            }
            isWaiting = true
            try hasChanged()
            // The app may have asked for the attempt while its observers learned of the error.
            while isWaiting, !Task.isCancelled, readiness != .ready { await wait() }
            isWaiting = false
            try hasChanged()
        }
    }

    /// Suspends until the time of the next attempt, or ``hurry(isAutomatic:)``.
    private func wait() async {
        var timer: Task<Void, any Error>?
        // D14: If the server may have forgotten the key, only the user sends the change again.
        if case .later(let time) = readiness {
            let (clock, signal, delay) = (clock, signal, Duration.milliseconds(time - now))
            timer = Task.detached {
                try await clock.sleep(for: delay)
                signal.wake()
            }
        }
        await signal.wait()
        timer?.cancel()
    }

    /// Ends the wait for the next attempt, and makes later waits short again.
    ///
    /// - Parameter isAutomatic: whether the user has not asked for it. Then a change waits on whose
    ///   key the server may have forgotten (D14).
    func hurry(isAutomatic: Bool) {
        if readiness == .expired {
            if isAutomatic { return }
            // As in an outbox, the user accepts that it may take place twice.
            entry.state = .needsReview
        }
        if !isAutomatic { entry = entry.retried(at: now, isUnsent: false) }
        (isWaiting, entry.attempts) = (false, 0)
        signal.wake()
    }
}

extension ChangeEntry {
    /// Notes that an attempt begins in memory, and returns whether no earlier attempt has an
    /// unknown outcome.
    mutating func begin(at now: Int64 = 0) -> Bool {
        let isFirst = firstSentAt == nil
        self = sent(at: now)
        return isFirst
    }

    /// Notes the error of an attempt in memory, and returns whether the server has carried out the
    /// change all the same.
    mutating func end(
        with error: any Error,
        at now: Int64 = 0,
        isFirst: Bool,
        isRejection: Bool,
        isDeletion: Bool = false
    ) -> Bool {
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
            mayHaveArrived: failure?.mayHaveArrived ?? true,
            isDeletion: isDeletion || failure?.isOfDeletion == true,
            isRejection: isRejection
        )
        let jitter = { (bound: Duration) in bound * Double.random(in: 0...1) }
        switch settled(by: reply, to: attempt, at: now, jitter: jitter) {
        case .acknowledged: return true
        case .continues(let entry):
            self = entry.unattended(after: failure?.retryAfter, at: now, jitter: jitter)
            return false
        }
    }
}
