import CampusModels
import Foundation
import GRDB

/// The sessions that a user can list and end.
extension SessionStore {
    /// Returns the user's sessions that have not expired.
    ///
    /// The session of the request comes first, then the others, the most recently refreshed one
    /// first.
    func sessions(of bearer: Bearer) async throws -> [DeviceSession] {
        let now = now().timeIntervalSince1970
        return try await pool.read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT publicID, label, begunAt, refreshedAt, id = ? AS isCurrent FROM session
                        WHERE userID = ? AND expiresAt > ? ORDER BY isCurrent DESC, refreshedAt DESC, id DESC
                        """
                ),
                arguments: [bearer.session, bearer.user.id.rawValue, now]
            ).map { row in
                DeviceSession(
                    id: DeviceSession.ID(rawValue: row["publicID"]),
                    label: row["label"],
                    begunAt: Timestamp(Date(timeIntervalSince1970: row["begunAt"])),
                    refreshedAt: Timestamp(Date(timeIntervalSince1970: row["refreshedAt"])),
                    isCurrent: row["isCurrent"]
                )
            }
        }
    }

    /// Ends a session of the user and all its tokens; returns `false` if there is no such session.
    func end(_ id: DeviceSession.ID, of bearer: Bearer) async throws -> Bool {
        let now = now().timeIntervalSince1970
        return try await pool.write { db in
            try db.execute(
                sql: "DELETE FROM session WHERE publicID = ? AND userID = ? AND expiresAt > ?",
                arguments: [id.rawValue, bearer.user.id.rawValue, now]
            )
            return db.changesCount > 0
        }
    }

    /// Ends all sessions of the user, except the session of the request.
    func endOthers(of bearer: Bearer) async throws {
        try await pool.write { db in
            try db.execute(
                sql: "DELETE FROM session WHERE userID = ? AND id <> ?",
                arguments: [bearer.user.id.rawValue, bearer.session]
            )
        }
    }
}
