public import CampusModels
public import Screens

/// The user's changes that the server has not confirmed, no matter which board made them.
///
/// It belongs to the window's actor, and its properties are observable.
public protocol DashboardOutbox: AnyObject {
    /// The changes, oldest first; if there are very many, the oldest ones.
    var changes: [PendingChange] { get }

    /// The number of changes that ``changes`` leaves out.
    var moreChanges: Int { get }

    /// Sends the changes now that wait for their next attempt.
    func tryNow()

    /// Sends a change again that needs the user's decision.
    func sendAgain(_ id: PendingChange.ID) async throws

    /// Opens a message that was not sent the next time the user composes a message.
    func edit(_ id: PendingChange.ID)

    /// Discards a change.
    func discard(_ id: PendingChange.ID) async throws
}

/// A change that the server has not confirmed.
public struct PendingChange: Hashable, Sendable, Identifiable {
    /// The ID of a change.
    public struct ID: StringIdentifier {
        /// The ID as text.
        public let rawValue: String

        /// Creates the ID with the text `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The ID.
    public let id: ID
    /// The subject of the change: the text of a message, or the title of a to-do.
    public let text: String
    /// The kind of the change, as a text for the user: `To Grace Hopper`, `To-do`.
    public let kind: String
    /// When the user made it.
    public let since: Timestamp
    /// The reason why the server has not confirmed it.
    public let state: ChangeState
    /// The user's choices.
    public let actions: Set<ChangeState.Action>

    /// Creates a change.
    public init(
        id: ID,
        text: String,
        kind: String,
        since: Timestamp,
        state: ChangeState,
        actions: Set<ChangeState.Action>
    ) {
        self.id = id
        self.text = text
        self.kind = kind
        self.since = since
        self.state = state
        self.actions = actions
    }
}
