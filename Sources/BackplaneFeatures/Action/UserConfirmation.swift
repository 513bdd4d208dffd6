/// The answer to a question that a user may also leave unanswered.
///
/// It is the output of an action that asks the user, such as whether to discard a draft:
///
/// ```swift
/// switch try await actions.confirmDiscard(self, draft) {
/// case .accepted: close()
/// case .rejected: keep(draft)
/// case .cancelled: break
/// }
/// ```
///
/// An action may also throw `CancellationError` in place of ``cancelled``. Use this type if a
/// screen must do something in each of the three cases.
public enum UserConfirmation: Hashable, Sendable {
    /// The user agreed.
    case accepted
    /// The user declined.
    case rejected
    /// The user left the question without an answer.
    case cancelled
}
