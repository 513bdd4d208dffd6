public import BackplaneFeatures

/// The model of changes that are visible before the server confirms them.
///
/// It contains the rejected changes with their reasons, and whether a change is unconfirmed.
public struct ChangeModel: Sendable {
    /// A change that the server rejected and the user has not dismissed yet.
    public struct Refusal: Sendable {
        /// The ID of the change, by which a face dismisses it: see `Loader.dismiss(change:)`.
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
            let isGone = change.error?.code == .targetMissing
            let problem = isGone ? "This no longer exists." : "This could not be changed."
            let reason = DisplayError.message(of: change.error, else: problem)
            return Refusal(id: "\(change.id)", reason: reason)
        }
        isUnanswered = pending.contains { $0.status == .unconfirmed }
        if refusals.isEmpty, !isUnanswered { return nil }
    }
}

extension Loader {
    /// Removes a rejected change, after the user has read the reason.
    ///
    /// - Parameter id: the ``ChangeModel/Refusal/id`` of the change, as a text from outside. An
    ///   unknown ID is ignored.
    public func dismiss(change id: String) {
        for change in pending where "\(change.id)" == id { dismiss(change.id) }
    }

    /// Removes rejected changes, because the user makes the same change again.
    ///
    /// - Parameter changes: changes of this loader; the ones that are not rejected stay.
    public func dismissRejected(_ changes: [PendingMutation]) {
        for change in changes where change.status == .failed { dismiss(change.id) }
    }
}

extension [PendingMutation] {
    /// Whether the outcome of a change is expected at once, because the change is being sent or is
    /// about to be sent.
    ///
    /// Behind an unconfirmed change, the others wait as long as that one.
    public var isBusy: Bool {
        let states = Set(map(\.status))
        return states.contains(.sending) || states.contains(.queued) && !states.contains(.unconfirmed)
    }
}
