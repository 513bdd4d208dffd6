/// The body of `POST /messages`.
public struct NewMessage: Codable, Hashable, Sendable {
    /// The maximum length of a text, in characters.
    public static let textLimit = 2000
    /// The maximum length of a text, in bytes of UTF-8.
    ///
    /// A single character can have any number of combining marks, and so any number of bytes.
    public static let textByteLimit = 8000
    /// The maximum number of recipients.
    public static let recipientLimit = 100

    /// The recipients; a repeated ID changes nothing.
    public let recipients: [Contact.ID]
    /// The text, which may have several lines but no other control characters.
    public let text: String

    /// Creates a message that is not sent yet.
    public init(recipients: [Contact.ID], text: String) {
        self.recipients = recipients
        self.text = text
    }
}
