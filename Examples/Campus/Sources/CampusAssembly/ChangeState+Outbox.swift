import BackplaneFeatures
public import BackplaneStorage
public import Screens

extension ChangeState {
    /// Creates the state of a change in the file of an outbox.
    init(_ operation: OutboxOperation) {
        let (reason, next) = (operation.reason, operation.notBefore)
        self =
            switch operation.state {
            case .queued where reason == nil && next == nil: .queued
            case .queued where operation.firstSentAt == nil: .waiting(problem: reason, next: next)
            case .queued: .unconfirmed(problem: reason, next: next)
            case .sending: .sending
            case .waitingForSignIn: .waitingForSignIn
            case .waitingForUpdate: .waitingForUpdate
            case .conflict: .conflict(reason: reason)
            case .needsReview: .unclear
            case .refused: .refused(reason: reason)
            }
    }
}

// The pages of the records say the same about a change as the list of all changes.
extension OutboxFailure: ChangeStateError {
    /// The state of the operation.
    public var changeState: ChangeState { ChangeState(operation) }
}
