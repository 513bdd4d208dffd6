public import BackplaneFeatures
public import CampusModels
public import Screens

/// Where the user's messages are on their way, whoever sends them.
///
/// It belongs to the window's actor.
public protocol DashboardOutbox: AnyObject {
    /// The user's messages, the newest first; a mutation that adds one is labelled with the message's ID.
    var messages: RecordStore<Sole, [Message]> { get }

    /// What was written in a message that could not be sent.
    func draft(_ id: Message.ID) -> Draft?

    /// Lets the message that is composed next begin with what was written in this one.
    func edit(_ id: Message.ID)

    /// Forgets a message that could not be sent.
    func discard(_ id: Message.ID)
}
