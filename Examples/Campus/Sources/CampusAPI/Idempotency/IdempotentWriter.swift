import CampusModels
import Foundation
import GRDB

/// A writer that carries out each write once.
///
/// If a write comes again with the same `Idempotency-Key`, the writer returns the earlier response.
/// It stores a response in the transaction of its write. A failed write changes nothing, and the
/// client may retry it with the same key.
struct IdempotentWriter: Sendable {
    /// The number of seconds for which a key is remembered.
    static let memory: TimeInterval = 24 * 3600

    let pool: DatabasePool
    let now: @Sendable () -> Date

    /// Carries out `write`, unless a write with the user's key has been carried out before.
    ///
    /// - Throws: status 422 if the key came with a different request before, or the error of
    ///   `write`.
    func perform<Body>(
        _ request: WriteRequest<Body>,
        write: @Sendable (Database) throws -> WriteResponse
    ) async throws -> WriteResponse {
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

    private func answer<Body>(to request: WriteRequest<Body>, key: String, in db: Database) throws -> WriteResponse? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM idempotentAnswer WHERE userID = ? AND key = ?"),
            arguments: [request.user.rawValue, key]
        )
        guard let row else { return nil }
        guard row["requestHash"] == request.hash else { throw APIFailure.keyReused }
        return WriteResponse(status: row["status"], entityTag: row["entityTag"], body: row["body"])
    }
}
