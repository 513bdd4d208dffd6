internal import BackplaneConcurrency

/// A mutation's outcome, with the callers that wait for it.
final class MutationTicket {
    let label: String?
    private let waiters = Waiters()
    private var result: Result<Void, FeatureError>?

    init(label: String?) {
        self.label = label
    }

    /// Suspends until the mutation is settled or the caller is cancelled.
    func outcome() async throws {
        if result == nil { await waiters.wait() }
        guard let result else { throw CancellationError() }
        try result.get()
    }

    func settle(_ result: Result<Void, FeatureError>) {
        self.result = result
        waiters.resumeAll()
    }
}
