import CampusModels
import Foundation
import GRDB

/// A store of the accounts, for sign-ins.
struct AccountStore: Sendable {
    /// The number of networks that are remembered for a user.
    static let networkLimit = 32

    /// A user and the hash of the user's password.
    struct Account: Sendable {
        let user: User.ID
        let passwordHash: PasswordHash
        /// Whether the user has signed in from the client's network before.
        let isKnownClient: Bool
    }

    let pool: DatabasePool
    let now: @Sendable () -> Date

    /// Returns the account with this e-mail address; `nil` if there is none.
    func account(email: EmailAddress, for client: ClientAddress) async throws -> Account? {
        try await pool.read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT id, passwordHash,
                        EXISTS (SELECT 1 FROM loginNetwork WHERE userID = id AND network = ?) AS isKnownClient
                        FROM user WHERE email = ?
                        """
                ),
                arguments: [client.network, email.text]
            )
            guard let row else { return nil }
            let user = User.ID(rawValue: row["id"])
            guard let hash = PasswordHash(row["passwordHash"]) else {
                throw DatabaseError(message: "The password hash of the user '\(user)' cannot be read.")
            }
            return Account(user: user, passwordHash: hash, isKnownClient: row["isKnownClient"])
        }
    }

    /// Remembers that `user` has signed in from the network of `client`.
    ///
    /// It forgets the network that was used the longest ago if there are too many.
    func remember(_ client: ClientAddress, of user: User.ID) async throws {
        let now = now().timeIntervalSince1970
        try await pool.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO loginNetwork (userID, network, usedAt) VALUES (?, ?, ?)",
                arguments: [user.rawValue, client.network, now]
            )
            try db.execute(
                sql: """
                    DELETE FROM loginNetwork WHERE userID = ? AND network NOT IN (
                        SELECT network FROM loginNetwork WHERE userID = ? ORDER BY usedAt DESC LIMIT ?
                    )
                    """,
                arguments: [user.rawValue, user.rawValue, Self.networkLimit]
            )
        }
    }
}
