public import CampusModels
public import Foundation
import GRDB

/// A store of saved drafts in an SQLite file, separate for each user.
///
/// Saved drafts outlive the process. Other parts of the app may have their own tables in the file.
/// The store opens the file at first use. The code that creates the file decides its permissions.
public actor DraftStore {
    private let file: URL?
    private var opened: DatabaseQueue?

    /// Creates a store in `file`; without a file, the drafts exist as long as the store.
    public init(file: URL? = nil) {
        self.file = file
    }

    /// Returns the draft that a user saved last; `nil` if there is none.
    ///
    /// - Parameter user: the owner of the draft.
    /// - Returns: the draft.
    /// - Throws: an error if the file cannot be read.
    public func latest(of user: User.ID) async throws -> Draft? {
        let data = try await database().read { database in
            try Data.fetchOne(
                database,
                sql: "SELECT data FROM draft WHERE userID = ? ORDER BY rowid DESC",
                arguments: [user.rawValue]
            )
        }
        return try data.map { try JSONDecoder().decode(Draft.self, from: $0) }
    }

    /// Saves a draft and replaces its previous version.
    ///
    /// - Parameters:
    ///   - draft: the draft to save.
    ///   - user: the owner of the draft.
    /// - Throws: an error if the file cannot be written.
    public func save(_ draft: Draft, of user: User.ID) async throws {
        let data = try JSONEncoder().encode(draft)
        try await database().write { database in
            // A replaced draft gets a new row, so that the highest `rowid` belongs to the latest
            // draft.
            try database.execute(
                sql: "INSERT OR REPLACE INTO draft (userID, id, data) VALUES (?, ?, ?)",
                arguments: [user.rawValue, draft.id.rawValue, data]
            )
        }
    }

    /// Deletes a draft, if it was saved.
    ///
    /// - Parameters:
    ///   - id: the ID of the draft.
    ///   - user: the owner of the draft.
    /// - Throws: an error if the file cannot be written.
    public func remove(_ id: Draft.ID, of user: User.ID) async throws {
        try await database().write { database in
            try database.execute(
                sql: "DELETE FROM draft WHERE userID = ? AND id = ?",
                arguments: [user.rawValue, id.rawValue]
            )
        }
    }

    private func database() throws -> DatabaseQueue {
        if let opened { return opened }
        let database: DatabaseQueue
        if let file {
            var configuration = Configuration()
            configuration.journalMode = .wal
            configuration.busyMode = .timeout(5)
            database = try DatabaseQueue(path: file.path, configuration: configuration)
        } else {
            database = try DatabaseQueue()
        }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("draft 1") { database in
            try database.create(table: "draft") { table in
                table.column("userID", .text).notNull()
                table.column("id", .text).notNull()
                table.column("data", .blob).notNull()
                table.primaryKey(["userID", "id"])
            }
        }
        try migrator.migrate(database)
        opened = database
        return database
    }
}
