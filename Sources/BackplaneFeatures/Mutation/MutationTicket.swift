internal import BackplaneConcurrency

/// Where those wait who want to know what became of a mutation.
final class MutationTicket {
    let label: String?
    private let waiters = Waiters()
    private var result: Result<Void, FeatureError>?
    /// Why the last attempt brought no answer.
    var lastError: (any Error)?
    /// Set as long as it is not sent again by itself.
    var stall: FeatureError? {
        didSet { if stall != nil { waiters.resumeAll() } }
    }

    init(label: String?) {
        self.label = label
    }

    /// Suspends until the mutation is settled, or is not sent again by itself, or the caller is cancelled.
    func outcome() async throws {
        while true {
            if let result { return try result.get() }
            if let stall { throw stall }
            try Task.checkCancellation()
            // It may have been sent again by the time that this returns: then there is more to wait for.
            await waiters.wait()
        }
    }

    func settle(_ result: Result<Void, FeatureError>) {
        self.result = result
        waiters.resumeAll()
    }
}
