import GRDB

/// Adds messages of Ada to Charles Babbage to the database of an API, which may be running.
///
/// The texts are `Message 1.` to `Message` *count*`.`, the oldest first. That many requests would
/// take too long.
func addMessages(_ count: Int, to database: String) async throws {
    try await DatabaseQueue(path: database).write { db in
        try db.execute(
            sql: """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                INSERT INTO message (id, senderID, text) SELECT 'm' || n, 'ada', 'Message ' || n || '.' FROM number
                """,
            arguments: [count]
        )
        try db.execute(
            sql: """
                INSERT INTO messageRecipient (messageID, contactID, name, role)
                SELECT id, 'tutor-babbage', 'Charles Babbage', 'tutor' FROM message
                """
        )
    }
}
