/// A message that a user has sent.
public struct Message: Codable, Hashable, Sendable, Identifiable {
    /// What identifies a message.
    public struct ID: StringIdentifier {
        /// The identity as it is written.
        public let rawValue: String

        /// The identity written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What identifies this message.
    public let id: ID
    /// Whom it was sent to, as they were called then.
    public let recipients: [Contact]
    /// What was written.
    public let text: String

    /// A message as the API knows it.
    public init(id: ID, recipients: [Contact], text: String) {
        self.id = id
        self.recipients = recipients
        self.text = text
    }
}
