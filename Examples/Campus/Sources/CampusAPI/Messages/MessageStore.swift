import CampusModels
import Foundation
import GRDB

/// A store of the messages that users have sent.
struct MessageStore: Sendable {
    /// The query of a page.
    ///
    /// Each entry of the index `messageBySender` ends with the `rowid`, and a later message has a
    /// larger one. So the index finds the start of a page, and the rows come in order.
    static let pageQuery = """
        SELECT id, text FROM message WHERE senderID = ? AND rowid < ? ORDER BY rowid DESC LIMIT ?
        """

    let pool: DatabasePool

    /// Returns the newest messages that `user` has sent, or the newest ones before `before`.
    ///
    /// - Throws: status 400 if `user` has not sent the message `before`.
    func page(of user: User.ID, before: Message.ID?, limit: Int) async throws -> MessagePage {
        try pool.readHere { db in
            let end = try before.map { try number(of: $0, of: user, in: db) } ?? .max
            // One more row tells whether there are older messages.
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: Self.pageQuery),
                arguments: [user.rawValue, end, limit + 1]
            )
            let messages = try rows.prefix(limit).map { try message($0, in: db) }
            return MessagePage(messages: messages, next: rows.count > limit ? messages.last?.id : nil)
        }
    }

    private func number(of id: Message.ID, of user: User.ID, in db: Database) throws -> Int64 {
        let number = try Int64.fetchOne(
            db,
            sql: "SELECT rowid FROM message WHERE id = ? AND senderID = ?",
            arguments: [id.rawValue, user.rawValue]
        )
        guard let number else {
            throw APIFailure.badRequest("'before' is not one of your messages. Omit it for the newest messages.")
        }
        return number
    }

    private func message(_ row: Row, in db: Database) throws -> Message {
        let recipients = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT contactID AS id, name, role FROM messageRecipient WHERE messageID = ? ORDER BY name, id"
            ),
            arguments: [row["id"] as String]
        )
        return Message(
            id: Message.ID(rawValue: row["id"]),
            recipients: try recipients.map(Contact.init(row:)),
            text: row["text"]
        )
    }

    /// Stores a message of `user` to some of the user's contacts.
    ///
    /// - Throws: status 422 if a recipient is not a contact of `user`; then nothing is stored.
    func insert(_ message: NewMessage, of user: User.ID, in db: Database) throws -> Message {
        let id = Message.ID(rawValue: UUID().uuidString.lowercased())
        let text = message.normalizedText
        let contacts = try Set(message.recipients).map { try contact($0, of: user, in: db) }
        try db.execute(
            sql: "INSERT INTO message (id, senderID, text) VALUES (?, ?, ?)",
            arguments: [id.rawValue, user.rawValue, text]
        )
        for contact in contacts {
            try db.execute(
                sql: "INSERT INTO messageRecipient (messageID, contactID, name, role) VALUES (?, ?, ?, ?)",
                arguments: [id.rawValue, contact.id.rawValue, contact.name, contact.role.rawValue]
            )
        }
        return Message(
            id: id,
            recipients: contacts.sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) },
            text: text
        )
    }

    private func contact(_ id: Contact.ID, of user: User.ID, in db: Database) throws -> Contact {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM contact WHERE id = ? AND userID = ?"),
            arguments: [id.rawValue, user.rawValue]
        )
        guard let row else {
            throw APIFailure.invalidContent("One of 'recipients' is not your contact. GET /contacts lists them.")
        }
        return try Contact(row: row)
    }
}
