import CampusModels
import GRDB

/// A store of the contacts that a user can write to.
struct ContactStore: Sendable {
    let pool: DatabasePool

    /// Returns the contacts of `user`, by name.
    func contacts(of user: User.ID) async throws -> [Contact] {
        try pool.readHere { db in
            try Row.fetchAll(
                db.cachedStatement(sql: "SELECT * FROM contact WHERE userID = ? ORDER BY name, id"),
                arguments: [user.rawValue]
            ).map(Contact.init(row:))
        }
    }
}

extension Contact {
    /// Creates the contact from the columns `id`, `name` and `role`.
    init(row: Row) throws {
        guard let role = Role(rawValue: row["role"]) else {
            throw DatabaseError(message: "The contact '\(row["id"] as String)' has no valid role.")
        }
        self.init(id: ID(rawValue: row["id"]), name: row["name"], role: role)
    }
}
