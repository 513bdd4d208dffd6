public import BackplaneFeatures
public import CampusModels
public import Screens

/// The user's messages that are not confirmed by the server yet, no matter which board sent them.
///
/// It belongs to the window's actor.
public protocol DashboardOutbox: AnyObject {
    /// The user's messages, the newest first; a mutation that adds a message has its ID as the
    /// label.
    var messages: RecordStore<Sole, [Message]> { get }

    /// The draft of a message that failed to send; `nil` if there is none.
    func draft(_ id: Message.ID) -> Draft?

    /// Opens this draft the next time the user composes a message.
    func edit(_ id: Message.ID)

    /// Discards a message that failed to send.
    func discard(_ id: Message.ID)
}
