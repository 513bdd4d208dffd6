internal import BackplaneConcurrency

/// A mutation's outcome, with the callers that wait for it.
final class MutationTicket {
    let label: String?
    private let waiters = Waiters()
    private var result: Result<Void, FeatureError>?
    /// The error of the last attempt whose outcome is unknown.
    var lastError: (any Error)?
    /// The error for callers while automatic resends have stopped, or `nil` while they continue.
    var stall: FeatureError? {
        didSet { if stall != nil { waiters.resumeAll() } }
    }

    init(label: String?) {
        self.label = label
    }

    /// Suspends until the mutation is settled, until automatic resends stop, or until the caller is
    /// cancelled.
    func outcome() async throws {
        while true {
            if let result { return try result.get() }
            if let stall { throw stall }
            try Task.checkCancellation()
            // The mutation may be resent before the wait returns; then the wait starts again.
            await waiters.wait()
        }
    }

    func settle(_ result: Result<Void, FeatureError>) {
        self.result = result
        waiters.resumeAll()
    }
}
