public import CampusModels

/// The messages that the user has sent and the server may not have, no matter which board sent
/// them.
///
/// It belongs to the window's actor.
public protocol DashboardOutbox: AnyObject {
    /// The messages that are being sent or were rejected, the first one first; observable.
    ///
    /// It may also contain messages that the server has.
    var outgoing: [OutgoingMessage] { get }

    /// Opens the draft of a rejected message the next time the user composes a message.
    func edit(_ id: Message.ID)

    /// Discards a rejected message.
    func discard(_ id: Message.ID)
}

/// A message that the user has sent.
public struct OutgoingMessage: Identifiable, Sendable {
    /// The ID of the message in the list of messages, until the server assigns another one.
    ///
    /// Each attempt to send a draft needs a new one.
    public let id: Message.ID
    /// The draft that was sent, to edit it if the server rejects it.
    public let draft: Draft

    /// Creates a message with the contents of a draft.
    public init(id: Message.ID = .random(), draft: Draft) {
        self.id = id
        self.draft = draft
    }

    /// The message as it is shown before the server has it.
    public var message: Message { Message(id: id, recipients: draft.recipients, text: draft.text) }
}
