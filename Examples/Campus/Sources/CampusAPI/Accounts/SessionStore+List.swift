import CampusModels
import Foundation
import GRDB

/// A user's sessions as the user sees them.
extension SessionStore {
    /// The sessions of a user that are not over: the one that asks, then the others, the one last refreshed first.
    func sessions(of bearer: Bearer) async throws -> [UserSession] {
        let now = now().timeIntervalSince1970
        return try await pool.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT publicID, label, begunAt, refreshedAt, id = ? AS isCurrent FROM session
                    WHERE userID = ? AND expiresAt > ? ORDER BY isCurrent DESC, refreshedAt DESC, id DESC
                    """,
                arguments: [bearer.session, bearer.user.id.rawValue, now]
            ).map { row in
                UserSession(
                    id: UserSession.ID(rawValue: row["publicID"]),
                    label: row["label"],
                    begunAt: Timestamp(Date(timeIntervalSince1970: row["begunAt"])),
                    refreshedAt: Timestamp(Date(timeIntervalSince1970: row["refreshedAt"])),
                    isCurrent: row["isCurrent"]
                )
            }
        }
    }

    /// Ends a session of a user, and all its tokens with it; false when the user has no such session.
    func end(_ id: UserSession.ID, of bearer: Bearer) async throws -> Bool {
        let now = now().timeIntervalSince1970
        return try await pool.write { db in
            try db.execute(
                sql: "DELETE FROM session WHERE publicID = ? AND userID = ? AND expiresAt > ?",
                arguments: [id.rawValue, bearer.user.id.rawValue, now]
            )
            return db.changesCount > 0
        }
    }

    /// Ends all sessions of a user but the one that asks.
    func endOthers(of bearer: Bearer) async throws {
        try await pool.write { db in
            try db.execute(
                sql: "DELETE FROM session WHERE userID = ? AND id <> ?",
                arguments: [bearer.user.id.rawValue, bearer.session]
            )
        }
    }
}
