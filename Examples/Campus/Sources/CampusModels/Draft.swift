import Foundation

/// A message that the user is writing.
public struct Draft: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the message until the server has it.
    public let id: Message.ID
    /// The recipients of the message.
    public var recipients: [Contact]
    /// The text of the message.
    public var text: String

    /// Creates a draft, which by default is empty and has a new ID.
    public init(id: Message.ID = .random(), recipients: [Contact] = [], text: String = "") {
        self.id = id
        self.recipients = recipients
        self.text = text
    }

    /// Whether the text is empty or only white space, so that nothing can be lost.
    public var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

    /// The message to send.
    public var message: NewMessage { NewMessage(recipients: recipients.map(\.id), text: text) }

    /// Returns a draft with the same text and ID, and other recipients.
    public func addressed(to recipients: [Contact]) -> Draft {
        var draft = self
        draft.recipients = recipients
        return draft
    }
}

extension Message.ID {
    /// Returns a new unique ID: a UUID in lower-case letters.
    public static func random() -> Message.ID { Message.ID(rawValue: UUID().uuidString.lowercased()) }
}
