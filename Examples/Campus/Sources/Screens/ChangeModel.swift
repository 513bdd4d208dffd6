public import BackplaneFeatures

/// The model of changes that are visible before the server confirms them.
///
/// It contains the rejected changes with their reasons, and the reason why the others wait.
public struct ChangeModel: Sendable {
    /// A change that the server rejected and the user has not dismissed yet.
    public struct Refusal: Sendable {
        /// The ID of the change, by which a face dismisses it: see `Loader.dismiss(change:)`.
        public let id: String
        /// The reason, as a text for the user.
        public let reason: String
    }

    /// A change that is neither rejected nor sent at once.
    public struct Delay: Sendable {
        /// The reason, as a text for the user.
        public let sentence: String
        /// The time of the next attempt; `nil` if it is not known.
        public let next: Moment?
        /// Both as one text.
        public let text: String
        /// Whether the user can send it now.
        public let canTryNow: Bool

        fileprivate init?(_ state: ChangeState) {
            guard state != .queued, state != .sending else { return nil }
            sentence = state.sentence
            next = state.nextAttempt.map(Moment.init)
            text = state.text
            canTryNow = state.actions.contains(.tryNow)
        }
    }

    /// The rejected changes.
    public let refusals: [Refusal]
    /// The first change that is not sent at once; `nil` if none waits.
    public let delay: Delay?

    /// Creates the model of the changes in `pending`; `nil` if no change is rejected or waits.
    public init?(_ pending: [PendingMutation]) {
        refusals = pending.filter { $0.status == .failed }.map { change in
            Refusal(id: "\(change.id)", reason: ChangeState(change).sentence)
        }
        delay = pending.lazy.filter { $0.status != .failed }.compactMap { Delay(ChangeState($0)) }.first
        if refusals.isEmpty, delay == nil { return nil }
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
    /// Behind a change that waits, the others wait as long as that one.
    public var isBusy: Bool {
        let states = filter { $0.status != .failed }.map(ChangeState.init)
        return states.contains(.sending) || !states.isEmpty && states.allSatisfy { $0 == .queued }
    }
}
