public import BackplaneFeatures

/// What there is to draw of the changes that were shown ahead of the server's answer: those that were undone, and why, and
/// whether some of them wait for an answer that did not come.
public struct ChangeModel: Sendable {
    /// A change that the server has refused, until the person has dismissed it.
    public struct Refusal: Sendable {
        /// What its dismiss button sends along, as the field `change`.
        public let id: String
        /// Why, in words for people.
        public let reason: String
    }

    /// What was refused.
    public let refusals: [Refusal]
    /// Whether the server has left a change without an answer; it is sent again.
    public let isUnanswered: Bool

    /// The changes among `pending`; nil if there is nothing to be said of them.
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
    /// Does what the buttons of a ``ChangeModel`` ask for: `dismiss` a refusal, or `resend` what has had no answer.
    ///
    /// - Returns: whether the event was one of these.
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
