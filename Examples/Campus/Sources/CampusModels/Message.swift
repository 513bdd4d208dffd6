/// A message that a user has sent.
public struct Message: Codable, Hashable, Sendable, Identifiable {
    /// The ID of a message.
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
    /// The recipients, with their names at the time of sending.
    public let recipients: [Contact]
    /// The text.
    public let text: String

    /// Creates a message, as in the API.
    public init(id: ID, recipients: [Contact], text: String) {
        self.id = id
        self.recipients = recipients
        self.text = text
    }
}
