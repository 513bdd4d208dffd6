import CampusModels
import Foundation
import GRDB

/// A store of the messages that users have sent.
struct MessageStore: Sendable {
    let pool: DatabasePool

    /// Returns the messages that `user` has sent, newest first.
    func messages(of user: User.ID) async throws -> [Message] {
        try await pool.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT id, text FROM message WHERE senderID = ? ORDER BY rowid DESC",
                arguments: [user.rawValue]
            ).map { row in
                let recipients = try Row.fetchAll(
                    db,
                    sql:
                        "SELECT contactID AS id, name, role FROM messageRecipient WHERE messageID = ? ORDER BY name, id",
                    arguments: [row["id"] as String]
                )
                return Message(
                    id: Message.ID(rawValue: row["id"]),
                    recipients: try recipients.map(Contact.init(row:)),
                    text: row["text"]
                )
            }
        }
    }

    /// Stores a message of `user` to some of the user's contacts.
    ///
    /// - Throws: status 422 if a recipient is not a contact of `user`; then nothing is stored.
    func insert(_ message: NewMessage, of user: User.ID, in db: Database) throws -> Message {
        let id = Message.ID(rawValue: UUID().uuidString.lowercased())
        let contacts = try Set(message.recipients).map { try contact($0, of: user, in: db) }
        try db.execute(
            sql: "INSERT INTO message (id, senderID, text) VALUES (?, ?, ?)",
            arguments: [id.rawValue, user.rawValue, message.text]
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
            text: message.text
        )
    }

    private func contact(_ id: Contact.ID, of user: User.ID, in db: Database) throws -> Contact {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT * FROM contact WHERE id = ? AND userID = ?",
            arguments: [id.rawValue, user.rawValue]
        )
        guard let row else {
            throw APIFailure.invalidContent("One of 'recipients' is not your contact. GET /contacts lists them.")
        }
        return try Contact(row: row)
    }
}
