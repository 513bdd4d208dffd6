/// What became of a mutation, told exactly once.
package enum MutationOutcome {
    /// The server has done it.
    case acknowledged
    /// The server will not do it, and has not.
    case rejected(any Error)
    /// There is nothing left that it could be applied to; it was not sent.
    case targetMissing(any Error)
    /// One that it depends on failed; it was not sent.
    case dependencyFailed
    /// The session it was made in is over.
    case sessionEnded
}

/// A mutation that failed, until somebody has seen it.
package struct MutationFailure {
    package let id: IdempotencyKey
    /// Earlier mutations that it took the place of, and that failed with it.
    let superseded: [IdempotencyKey]
    package let label: String?
    package let outcome: MutationOutcome

    var ids: [IdempotencyKey] { superseded + [id] }
}
