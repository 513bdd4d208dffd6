/// A message that is being written.
public struct Draft: Codable, Hashable, Sendable {
    /// Whom it is for.
    public var recipients: [Contact]
    /// What has been written.
    public var text: String

    /// A draft, empty unless stated.
    public init(recipients: [Contact] = [], text: String = "") {
        self.recipients = recipients
        self.text = text
    }

    /// Whether there is nothing in the text that could be lost.
    public var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

    /// The message as it is sent.
    public var message: NewMessage { NewMessage(recipients: recipients.map(\.id), text: text) }

    /// The same text for others.
    public func addressed(to recipients: [Contact]) -> Draft {
        var draft = self
        draft.recipients = recipients
        return draft
    }
}
