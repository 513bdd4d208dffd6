/// The outcome of a mutation, reported exactly once.
package enum MutationOutcome {
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

/// A mutation that failed, kept until it is dismissed.
package struct MutationFailure {
    package let id: IdempotencyKey
    /// The earlier mutations that it replaced, and that failed with it.
    let superseded: [IdempotencyKey]
    package let label: String?
    let element: ElementID?
    package let outcome: MutationOutcome
    let delivery: (any MutationDelivery)?

    var ids: [IdempotencyKey] { superseded + [id] }

    /// The label in quotation marks, or the ID.
    var name: String { label.map { "'\($0)'" } ?? "\(id)" }

    /// Whether an outbox keeps the mutation until somebody decides about it.
    var isKept: Bool {
        guard let progress = delivery?.progress, progress.isSaved, !progress.needsDismissed else { return false }
        // A mutation that was rejected because it was discarded is shown until the user has seen
        // it.
        if case .rejected = outcome { return !progress.isDiscarded }
        return true
    }
}
