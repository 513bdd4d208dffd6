import CampusModels
import Foundation
import GRDB

/// Carries out writes, each once: one that comes again with the same `Idempotency-Key` gets the answer it got before.
///
/// Only what was carried out is remembered, in the same transaction. A write that failed changed nothing, and may be tried
/// again with its key.
struct IdempotentWriter: Sendable {
    /// How long a key is remembered, in seconds.
    static let memory: TimeInterval = 24 * 3600

    let pool: DatabasePool
    let now: @Sendable () -> Date

    /// Carries out `write`, unless the user's key says that it has been.
    ///
    /// - Throws: 422 when the key came with another request before; what `write` throws.
    func perform<Body>(
        _ request: WriteRequest<Body>,
        write: @Sendable (Database) throws -> WriteAnswer
    ) async throws -> WriteAnswer {
        let now = now().timeIntervalSince1970
        return try await pool.write { db in
            guard let key = request.key else { return try write(db) }
            try db.execute(sql: "DELETE FROM idempotentAnswer WHERE answeredAt <= ?", arguments: [now - Self.memory])
            if let answer = try answer(to: request, key: key, in: db) { return answer }
            let answer = try write(db)
            try db.execute(
                sql: """
                    INSERT INTO idempotentAnswer (userID, key, requestHash, answeredAt, status, entityTag, body)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    request.user.rawValue, key, request.hash, now, answer.status, answer.entityTag, answer.body,
                ]
            )
            return answer
        }
    }

    private func answer<Body>(to request: WriteRequest<Body>, key: String, in db: Database) throws -> WriteAnswer? {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT * FROM idempotentAnswer WHERE userID = ? AND key = ?",
            arguments: [request.user.rawValue, key]
        )
        guard let row else { return nil }
        guard row["requestHash"] == request.hash else { throw APIFailure.keyReused }
        return WriteAnswer(status: row["status"], entityTag: row["entityTag"], body: row["body"])
    }
}
