import CampusModels
import Foundation
import GRDB
import Hashing

/// The user and the session of an access token.
struct Bearer: Sendable {
    let user: User
    let session: Int64
}

/// The outcome of a refresh.
enum RefreshOutcome: Sendable {
    case renewed(TokensResponse)
    /// The token is unknown, or its session has ended.
    case refused
    /// The token was used before, so the session of this user has ended now.
    case reused(User.ID)
}

/// A store of the sessions and their tokens.
///
/// A session starts with a sign-in. It ends with a sign-out, when it is not refreshed in time, or
/// when a used refresh token is used again.
struct SessionStore: Sendable {
    /// The time during which the last used token can be exchanged again, for the same successor.
    ///
    /// A session must survive a lost response, and a client that stops before it stores the
    /// response.
    static let reuseGrace: TimeInterval = 30

    let pool: DatabasePool
    let now: @Sendable () -> Date
    private let accessTokenLifetime: TimeInterval
    private let sessionLifetime: TimeInterval

    init(
        pool: DatabasePool,
        accessTokenLifetime: Duration,
        sessionLifetime: Duration,
        now: @escaping @Sendable () -> Date
    ) {
        self.pool = pool
        self.accessTokenLifetime = accessTokenLifetime / .seconds(1)
        self.sessionLifetime = sessionLifetime / .seconds(1)
        self.now = now
    }

    /// Starts a session of `user` on a client with this label.
    func begin(for user: User.ID, label: String?) async throws -> TokensResponse {
        let now = now().timeIntervalSince1970
        return try await pool.write { db in
            try db.execute(sql: "DELETE FROM session WHERE expiresAt <= ?", arguments: [now])
            try db.execute(
                sql: """
                    INSERT INTO session (publicID, userID, label, begunAt, refreshedAt, expiresAt)
                    VALUES (lower(hex(randomblob(16))), ?, ?, ?, ?, ?)
                    """,
                arguments: [user.rawValue, label, now, now, now + sessionLifetime]
            )
            let session = db.lastInsertedRowID
            let token = OpaqueToken()
            try insertRefreshToken(token, session: session, in: db)
            return try tokens(with: token, session: session, now: now, in: db)
        }
    }

    /// Exchanges a refresh token for the next pair of tokens.
    ///
    /// Each token can be used once. A second use later than ``reuseGrace``, or after the successor
    /// was used, means that someone copied the token. Then the session ends (RFC 9700, section
    /// 4.14.2).
    func refresh(_ token: OpaqueToken) async throws -> RefreshOutcome {
        let now = now().timeIntervalSince1970
        return try await pool.write { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT sessionID, userID, usedAt, successorNonce
                        FROM refreshToken JOIN session ON session.id = sessionID
                        WHERE hash = ? AND expiresAt > ?
                        """
                ),
                arguments: [token.hash, now]
            )
            guard let row else { return .refused }
            let session: Int64 = row["sessionID"]
            let successor: OpaqueToken
            if let usedAt: Double = row["usedAt"], let nonce: Data = row["successorNonce"] {
                successor = token.successor(nonce: nonce)
                guard now - usedAt <= Self.reuseGrace, try isUnused(successor, in: db) else {
                    try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [session])
                    return .reused(User.ID(rawValue: row["userID"]))
                }
            } else {
                let nonce = Hashing.randomBytes(32)
                successor = token.successor(nonce: nonce)
                try db.execute(
                    sql: "UPDATE refreshToken SET usedAt = ?, successorNonce = ? WHERE hash = ?",
                    arguments: [now, nonce, token.hash]
                )
                try insertRefreshToken(successor, session: session, in: db)
            }
            try db.execute(
                sql: "UPDATE session SET refreshedAt = ?, expiresAt = ? WHERE id = ?",
                arguments: [now, now + sessionLifetime, session]
            )
            return .renewed(try tokens(with: successor, session: session, now: now, in: db))
        }
    }

    /// Returns the user and the session of an access token; `nil` if it is unknown or has expired.
    func bearer(of accessToken: OpaqueToken) async throws -> Bearer? {
        let now = now().timeIntervalSince1970
        return try pool.readHere { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT user.id, name, email, sessionID FROM accessToken
                        JOIN session ON session.id = sessionID
                        JOIN user ON user.id = userID
                        WHERE hash = ? AND accessToken.expiresAt > ?
                        """
                ),
                arguments: [accessToken.hash, now]
            ).map { row in
                let user = User(id: User.ID(rawValue: row["id"]), name: row["name"], email: row["email"])
                return Bearer(user: user, session: row["sessionID"])
            }
        }
    }

    /// Ends the session of an access token and all its tokens, and returns its user; `nil` for an
    /// unknown token.
    ///
    /// The token may have expired, so that a client can sign out without a refresh. An attacker
    /// with an old token can only sign its owner out.
    func end(with accessToken: OpaqueToken) async throws -> User.ID? {
        try await pool.write { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT id, userID FROM session WHERE id = (SELECT sessionID FROM accessToken WHERE hash = ?)"
                ),
                arguments: [accessToken.hash]
            )
            guard let row else { return nil }
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [row["id"] as Int64])
            return User.ID(rawValue: row["userID"])
        }
    }

    private func tokens(
        with refreshToken: OpaqueToken,
        session: Int64,
        now: TimeInterval,
        in db: Database
    ) throws -> TokensResponse {
        // An expired token is deleted when a new one is created. But it stays for the grace period,
        // because the client may have no newer token to sign out with.
        try db.execute(
            sql: "DELETE FROM accessToken WHERE sessionID = ? AND expiresAt <= ?",
            arguments: [session, now - Self.reuseGrace]
        )
        let accessToken = OpaqueToken()
        try db.execute(
            sql: "INSERT INTO accessToken (hash, sessionID, expiresAt) VALUES (?, ?, ?)",
            arguments: [accessToken.hash, session, now + accessTokenLifetime]
        )
        return TokensResponse(
            accessToken: accessToken.text,
            refreshToken: refreshToken.text,
            expiresIn: Int(accessTokenLifetime)
        )
    }

    private func insertRefreshToken(_ token: OpaqueToken, session: Int64, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO refreshToken (hash, sessionID) VALUES (?, ?)",
            arguments: [token.hash, session]
        )
    }

    private func isUnused(_ token: OpaqueToken, in db: Database) throws -> Bool {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM refreshToken WHERE hash = ? AND usedAt IS NULL"),
            arguments: [token.hash]
        ) != nil
    }
}
