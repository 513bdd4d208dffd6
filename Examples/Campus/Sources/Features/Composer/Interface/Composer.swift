public import Backplane
public import CampusModels

/// Writing a message: choosing its recipients, writing its text, sending it.
public enum Composer: BoardContract {
    /// The beginning of the message; if it is empty, the writer goes on with the draft that was kept, if there is one.
    public typealias Input = String

    /// What became of the message; a composer that was left in another way says nothing.
    public enum Output: Codable, Hashable, Sendable {
        /// It was sent.
        case sent(Message.ID)
        /// Its writer chose not to send it.
        case cancelled
    }
}

extension BoardID<Composer> {
    /// The composer board.
    public static var composer: Self { "composer" }
}
