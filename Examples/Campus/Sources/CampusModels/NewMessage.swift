/// The body of `POST /messages`.
public struct NewMessage: Codable, Hashable, Sendable {
    /// The maximum length of a text, in characters.
    public static let textLimit = 2000

    /// The recipients; a repeated ID changes nothing.
    public let recipients: [Contact.ID]
    /// The text.
    public let text: String

    /// Creates a message that is not sent yet.
    public init(recipients: [Contact.ID], text: String) {
        self.recipients = recipients
        self.text = text
    }
}
