public import Foundation
import GRDB
import SystemPackage
public import WebHost

/// The sessions of a web host in an SQLite file, which only its owner may use (0600).
///
/// A change that was made outlasts the process, however it ends (write-ahead log); a power cut may take the last ones. Other
/// parts of the app may keep tables of their own in the file.
public final class SQLiteSessionStore: SessionStore {
    private let database: DatabaseQueue

    /// The store in `file`, which is made when there is none.
    ///
    /// - Throws: ``SessionFileError`` when it cannot be opened.
    public init(file: URL) throws {
        do {
            try Self.secure(file.path)
            var configuration = Configuration()
            configuration.journalMode = .wal
            configuration.busyMode = .timeout(5)
            database = try DatabaseQueue(path: file.path, configuration: configuration)
            var migrator = DatabaseMigrator()
            migrator.registerMigration("sessionRecord 1") { database in
                try database.create(table: "sessionRecord") { table in
                    table.primaryKey("key", .text)
                    table.column("data", .blob).notNull()
                }
            }
            try migrator.migrate(database)
        } catch {
            throw SessionFileError(path: file.path, cause: error)
        }
    }

    /// Every record by its key.
    public func records() async throws -> [String: Data] {
        try await database.read { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT key, data FROM sessionRecord")
            var records: [String: Data] = [:]
            while let row = try rows.next() { records[row["key"]] = row["data"] }
            return records
        }
    }

    /// Makes a change in one transaction.
    public func update(_ changes: [String: Data?]) async throws {
        try await database.write { database in
            for (key, data) in changes {
                if let data {
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO sessionRecord (key, data) VALUES (?, ?)",
                        arguments: [key, data]
                    )
                } else {
                    try database.execute(sql: "DELETE FROM sessionRecord WHERE key = ?", arguments: [key])
                }
            }
        }
    }

    /// Sees to it that there is a file that only its owner may use; what SQLite puts beside it has the same permissions.
    ///
    /// It is made with them rather than given them later, and a link is not followed: whoever opens a file in between keeps it
    /// open.
    private static func secure(_ path: String) throws {
        let file = try FileDescriptor.open(
            FilePath(path),
            .readWrite,
            options: [.create, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite
        )
        try file.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
