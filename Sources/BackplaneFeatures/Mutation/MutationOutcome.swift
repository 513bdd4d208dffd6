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
    /// A mutation that it depends on failed, so it was not sent.
    case dependencyFailed
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

    var ids: [IdempotencyKey] { superseded + [id] }
}
