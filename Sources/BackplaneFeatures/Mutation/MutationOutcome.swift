/// What became of a mutation, told exactly once.
package enum MutationOutcome {
    /// The server has done it.
    case acknowledged
    /// The server will not do it, and has not.
    case rejected(any Error)
    /// There is nothing left that it could be applied to; it was not sent.
    case notApplicable(any Error)
    /// One that it depends on failed; it was not sent.
    case dependencyFailed
    /// The session it was made in is over.
    case abandoned
}
