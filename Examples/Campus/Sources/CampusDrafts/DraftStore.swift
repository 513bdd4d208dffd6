public import CampusModels
public import Foundation
import GRDB

/// Messages that were given up and kept, each user's apart, in an SQLite file.
///
/// What was saved outlasts the process. Other parts of the app may keep tables of their own in the file; it is opened when it is
/// first needed, and whoever makes it decides who may use it.
public actor DraftStore {
    private let file: URL?
    private var opened: DatabaseQueue?

    /// The store in `file`; without one, drafts are kept as long as the store.
    public init(file: URL? = nil) {
        self.file = file
    }

    /// The draft that a user saved last, if there is one.
    ///
    /// - Parameter user: whose draft.
    /// - Returns: the draft.
    /// - Throws: what keeps the file from being read.
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

    /// Keeps a draft, in place of what was kept of it before.
    ///
    /// - Parameters:
    ///   - draft: what to keep.
    ///   - user: whose draft.
    /// - Throws: what keeps the file from being written.
    public func save(_ draft: Draft, of user: User.ID) async throws {
        let data = try JSONEncoder().encode(draft)
        try await database().write { database in
            // What is replaced gets a new row, so that the last one is the latest.
            try database.execute(
                sql: "INSERT OR REPLACE INTO draft (userID, id, data) VALUES (?, ?, ?)",
                arguments: [user.rawValue, draft.id.rawValue, data]
            )
        }
    }

    /// Forgets a draft, if it was kept.
    ///
    /// - Parameters:
    ///   - id: the draft.
    ///   - user: whose draft.
    /// - Throws: what keeps the file from being written.
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
