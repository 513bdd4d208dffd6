/// The body of `GET /messages`: a page of the messages that a user has sent, newest first.
public struct MessagePage: Codable, Hashable, Sendable {
    /// The sizes that a client may ask for with `limit`.
    public static let limits = 1...100
    /// The size of a page if the client does not ask for another one.
    public static let standardLimit = 20

    /// The messages, newest first.
    public let messages: [Message]
    /// The value of `before` for the page of older messages; `nil` if there are none.
    public let next: Message.ID?

    /// Creates a page of these messages; without `next`, it has the oldest one.
    public init(messages: [Message], next: Message.ID? = nil) {
        self.messages = messages
        self.next = next
    }
}
