internal import BackplaneConcurrency

/// The outcome of a mutation, reported exactly once.
package enum MutationOutcome: Sendable {
    /// The server has carried it out.
    case acknowledged
    /// The server has refused it and has not carried it out.
    case rejected(any Error)
    /// It could not be written to the disk, so it was not sent.
    case notSaved(any Error)
    /// The intent no longer applies to the value, so the mutation was not sent.
    case targetMissing(any Error)
    /// A mutation that it depends on failed, so it was not sent; `on` names that mutation.
    case dependencyFailed(on: String)
    /// The session in which it was made has ended.
    case sessionEnded
}

extension Mutation {
    /// Suspends until the mutation that `make` makes is settled or the caller is cancelled.
    ///
    /// - Parameter make: makes the mutation for a caller, which receives its outcome.
    /// - Throws: the error of `make`. ``FeatureError`` if the mutation has failed.
    ///   `CancellationError` if the caller is cancelled.
    func settled(_ make: (SharedResult) throws -> Void) async throws {
        let caller = SharedResult()
        try make(caller)
        guard let end = await caller.wait(as: 0) else { throw CancellationError() }
        let outcome = uncheckedDowncast(end, to: Box<MutationOutcome>.self).value
        if let error = FeatureError(outcome, of: id, label: label) { throw error }
    }
}

/// A mutation that failed, kept until it is dismissed.
package struct MutationFailure {
    package let id: IdempotencyKey
    /// The earlier mutations that it replaced, and that failed with it.
    let superseded: [IdempotencyKey]
    package let label: String?
    /// The label in quotation marks, or the ID.
    let name: String
    let element: (any Hashable & Sendable)?
    package let outcome: MutationOutcome
    let delivery: (any MutationDelivery)?

    var ids: [IdempotencyKey] { superseded + [id] }

    /// Whether an outbox keeps the mutation until somebody decides about it.
    var isKept: Bool {
        guard let progress = delivery?.progress, progress.isSaved, !progress.needsDismissed else { return false }
        // A mutation that was rejected because it was discarded is shown until the user has seen
        // it, and one that was replaced until its store shows the other one.
        if case .rejected = outcome { return progress.isReplaced || !progress.isDiscarded }
        return true
    }
}
