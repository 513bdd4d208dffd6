public import CampusModels

/// The user's changes that the server may not have, no matter which board made them.
///
/// It belongs to the window's actor, and its properties are observable.
public protocol DashboardOutbox: AnyObject {
    /// The changes that are sent without the user's help; `nil` if there are none, or if it is not
    /// known.
    var onTheWay: ChangesOnTheWay? { get }

    /// The changes that are not sent without the user's decision, oldest first.
    var unsent: [UnsentChange] { get }

    /// Sends an unsent change again.
    func retry(_ id: UnsentChange.ID) async throws

    /// Opens an unsent message the next time the user composes a message.
    func edit(_ id: UnsentChange.ID)

    /// Discards an unsent change.
    func discard(_ id: UnsentChange.ID) async throws
}

/// The changes that are on their way to the server.
public struct ChangesOnTheWay: Hashable, Sendable {
    /// The number of changes, at least one.
    public let count: Int
    /// When the user made the oldest of them.
    public let oldest: Timestamp
    /// Whether they wait for the user to log in again.
    public let waitForLogIn: Bool

    /// Creates a summary of changes.
    public init(count: Int, oldest: Timestamp, waitForLogIn: Bool) {
        self.count = count
        self.oldest = oldest
        self.waitForLogIn = waitForLogIn
    }

    /// The beginning of a sentence about them, before the time of the oldest one.
    public var lead: String {
        count == 1 ? "1 change is on its way since" : "\(count) changes are on their way, the oldest since"
    }

    /// The request to the user that is needed; `nil` if none is.
    public var request: String? { waitForLogIn ? "Log in again to send them." : nil }

    /// The summary as a text for the user.
    public var text: String {
        let sentence = "\(lead) \(oldest.text)."
        return request.map { "\(sentence) \($0)" } ?? sentence
    }
}

/// A change that is not sent without the user's decision.
public struct UnsentChange: Hashable, Sendable, Identifiable {
    /// The ID of an unsent change.
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
    /// The reason why the change was not sent, as a text for the user.
    public let reason: String
    /// Whether it can be sent again as it is.
    public let canBeRetried: Bool
    /// Whether it can be opened in the composer.
    public let canBeEdited: Bool

    /// Creates an unsent change.
    public init(id: ID, text: String, kind: String, reason: String, canBeRetried: Bool, canBeEdited: Bool) {
        self.id = id
        self.text = text
        self.kind = kind
        self.reason = reason
        self.canBeRetried = canBeRetried
        self.canBeEdited = canBeEdited
    }
}
