public import BackplaneFeatures
public import Foundation

/// The state of a change that the server has not confirmed: the sentence for the user, and the
/// user's choices.
///
/// All pages say the same about a change, whether it is in memory or in a file.
public enum ChangeState: Hashable, Sendable {
    /// An action of the user on a change.
    public enum Action: Hashable, Sendable, CaseIterable {
        /// Sends it now, and not at the time of its next attempt.
        case tryNow
        /// Replaces it by another one.
        case edit
        /// Sends it again after a failure.
        case sendAgain
        /// Gives it up.
        case discard
    }

    /// It is sent after others, or in a moment.
    case queued
    /// It is being sent.
    case sending
    /// It could not be sent, and is sent again at `next`, if that is known.
    case waiting(problem: String?, next: Date?)
    /// It was sent without a response, and is sent again at `next`, if that is known.
    case unconfirmed(problem: String?, next: Date?)
    /// It waits until the user has signed in again.
    case waitingForSignIn
    /// It waits for a newer version of the app.
    case waitingForUpdate
    /// It needs an earlier change that was not carried out.
    case needsRefused
    /// The server has another version of what it changes.
    case conflict(reason: String?)
    /// The server may have carried it out, and can no longer tell.
    case unclear
    /// The server has refused it.
    case refused(reason: String?)
    /// The subject of the change no longer exists.
    case missing

    /// The state as a text for the user, without the time of the next attempt.
    public var sentence: String {
        switch self {
        case .queued: "It is sent when its turn comes."
        case .sending: "It is being sent."
        case .waiting(let problem, _): "\(problem ?? "It could not be sent.") It is sent again by itself."
        case .unconfirmed(let problem, _):
            "\(problem ?? "The server has not responded.") It is not confirmed yet, and is sent again by itself."
        case .waitingForSignIn: "It is sent when you have signed in again."
        case .waitingForUpdate: "The server asks for a newer version of the app, which sends it."
        case .needsRefused: "It needs an earlier change that was not carried out. Decide about that one first."
        case .conflict(let reason): reason ?? "This was changed elsewhere in the meantime."
        case .unclear: "The server may have carried it out, and can no longer tell. Look before you send it again."
        case .refused(let reason): reason ?? "This could not be changed."
        case .missing: "This no longer exists."
        }
    }

    /// The time of the next attempt; `nil` if none is planned, or its time is not known.
    public var nextAttempt: Date? {
        switch self {
        case .waiting(_, let next), .unconfirmed(_, let next): next
        default: nil
        }
    }

    /// The sentence with the time of the next attempt.
    public var text: String {
        sentence + (nextAttempt.map { " The next attempt is at \(Moment($0).text)." } ?? "")
    }

    /// The user's choices, if the place of the change has no limits.
    ///
    /// A change that the server may have can be neither discarded nor edited.
    public var actions: Set<Action> {
        switch self {
        case .sending: []
        case .queued, .needsRefused, .missing: [.discard]
        case .waiting: [.tryNow, .discard]
        case .unconfirmed, .waitingForSignIn, .waitingForUpdate: [.tryNow]
        case .conflict, .refused: [.edit, .sendAgain, .discard]
        case .unclear: [.sendAgain, .discard]
        }
    }

    /// Whether the change is not sent without the user.
    public var needsDecision: Bool {
        switch self {
        case .needsRefused, .conflict, .unclear, .refused, .missing: true
        case .queued, .sending, .waiting, .unconfirmed, .waitingForSignIn, .waitingForUpdate: false
        }
    }
}

/// An error that knows the state of its change, such as one from a file of changes.
public protocol ChangeStateError: Error {
    /// The state of the change.
    var changeState: ChangeState { get }
}

extension ChangeState {
    /// Creates the state of a change that a loader or a list shows.
    public init(_ change: PendingMutation) {
        if let error = change.error?.cause as? any ChangeStateError {
            self = error.changeState
            return
        }
        let problem = change.error?.reason
        self =
            switch (change.status, change.error?.code) {
            case (.sending, _): .sending
            case (.queued, _): change.error == nil ? .queued : .waiting(problem: problem, next: nil)
            case (.unconfirmed, _): .unconfirmed(problem: problem, next: nil)
            case (.failed, .targetMissing?): .missing
            case (.failed, .dependencyFailed?): .needsRefused
            case (.failed, .notSaved?): .refused(reason: "This device could not save it, so it was not sent.")
            case (.failed, _): .refused(reason: problem)
            }
    }
}
