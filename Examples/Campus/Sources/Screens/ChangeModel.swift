public import BackplaneFeatures

/// The model of changes that are visible before the server confirms them.
///
/// It contains the rejected changes with their reasons, and whether a change is unconfirmed.
public struct ChangeModel: Sendable {
    /// A change that the server rejected and the user has not dismissed yet.
    public struct Refusal: Sendable {
        /// The ID of the change, which the dismiss button sends in the field `change`.
        public let id: String
        /// The reason, as a text for the user.
        public let reason: String
    }

    /// The rejected changes.
    public let refusals: [Refusal]
    /// Whether a change has had no response from the server; such a change is sent again.
    public let isUnanswered: Bool

    /// Creates the model of the changes in `pending`; `nil` if no change is rejected or
    /// unconfirmed.
    public init?(_ pending: [PendingMutation]) {
        refusals = pending.filter { $0.status == .failed }.map { change in
            let error = change.error.flatMap { DisplayError(explaining: $0) }
            return Refusal(id: "\(change.id)", reason: error?.message ?? "This could not be changed.")
        }
        isUnanswered = pending.contains { $0.status == .unconfirmed }
        if refusals.isEmpty, !isUnanswered { return nil }
    }
}

extension Loader {
    /// Handles the buttons of a ``ChangeModel``: `dismiss` removes a rejected change, and `resend`
    /// resends the unconfirmed ones.
    ///
    /// - Parameter event: the event from the screen.
    /// - Returns: whether the event was from one of these buttons.
    public func handleChange(_ event: ScreenEvent) -> Bool {
        switch event.name {
        case "dismiss":
            for change in pending where "\(change.id)" == event["change"] { dismiss(change.id) }
        case "resend": retryPending()
        default: return false
        }
        return true
    }
}
