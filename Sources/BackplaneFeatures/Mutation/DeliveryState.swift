/// The state of a change on its way to the server (D3).
///
/// An `Outbox` of `BackplaneStorage` shows it for each operation. A loader shows fewer states, for
/// changes in an outbox and for changes in memory: see ``PendingMutation/Status``.
public enum DeliveryState: String, CaseIterable, Sendable {
    /// The change is sent when its turn comes.
    case queued
    /// The request is under way.
    case sending
    /// The server wants the user to sign in again.
    ///
    /// In outbox files, this state has its former name.
    case waitingForSignIn = "waitingForLogIn"
    /// The server wants a newer version of the app.
    case waitingForUpdate
    /// The server has another version of the changed value, and the user decides.
    case conflict
    /// The change was sent, its outcome is unknown, and the server may have forgotten its key.
    case needsReview
    /// The server has refused the change, or no attempt can succeed.
    case refused

    /// Whether only the user can decide what happens with the change.
    public var isParked: Bool { self == .needsReview || hasFailed }

    /// Whether the server has definitely not carried it out, and would refuse it again.
    package var hasFailed: Bool { self == .refused || self == .conflict }
}
