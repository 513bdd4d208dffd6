/// The body of `POST /messages`.
public struct NewMessage: Codable, Hashable, Sendable {
    /// How long a text may be, in characters.
    public static let textLimit = 2000

    /// Whom to send it to; naming somebody twice changes nothing.
    public let recipients: [Contact.ID]
    /// What to write.
    public let text: String

    /// A message that has not been sent yet.
    public init(recipients: [Contact.ID], text: String) {
        self.recipients = recipients
        self.text = text
    }
}
