public import Backplane
public import CampusModels

/// A composer for one message: its recipients, its text, and the button that sends it.
public enum Composer: BoardContract {
    /// The beginning of the message; if it is empty, the composer opens the saved draft, if there
    /// is one.
    public typealias Input = String

    /// The outcome of the message; a composer that is left in another way sends no output.
    public enum Output: Codable, Hashable, Sendable {
        /// The message was sent.
        case sent(Message.ID)
        /// The writer decided not to send the message.
        case cancelled
    }
}
