import CampusModels
import GRDB

/// A store of the accounts, for log-ins.
struct AccountStore: Sendable {
    /// A user and the hash of the user's password.
    struct Account: Sendable {
        let user: User.ID
        let passwordHash: PasswordHash
    }

    let pool: DatabasePool

    /// Returns the account with this e-mail address in lower case; `nil` if there is none.
    func account(email: String) async throws -> Account? {
        try await pool.read { db in
            let row = try Row.fetchOne(
                db,
                sql: "SELECT id, passwordHash FROM user WHERE email = ?",
                arguments: [email]
            )
            guard let row else { return nil }
            let user = User.ID(rawValue: row["id"])
            guard let hash = PasswordHash(row["passwordHash"]) else {
                throw DatabaseError(message: "The password hash of the user '\(user)' cannot be read.")
            }
            return Account(user: user, passwordHash: hash)
        }
    }
}
