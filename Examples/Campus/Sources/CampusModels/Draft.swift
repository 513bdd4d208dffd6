import Foundation

/// A message that is being written.
public struct Draft: Codable, Hashable, Sendable, Identifiable {
    /// What identifies the message until the server has it.
    public let id: Message.ID
    /// Whom it is for.
    public var recipients: [Contact]
    /// What has been written.
    public var text: String

    /// A draft, empty unless stated, that is no other.
    public init(id: Message.ID = .random(), recipients: [Contact] = [], text: String = "") {
        self.id = id
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

extension Message.ID {
    /// An identity that no other message has: a UUID in lower-case letters.
    public static func random() -> Message.ID { Message.ID(rawValue: UUID().uuidString.lowercased()) }
}
