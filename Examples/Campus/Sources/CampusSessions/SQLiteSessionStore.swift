public import Foundation
import GRDB
import SystemPackage
public import WebHost

/// The sessions of a web host in an SQLite file, which only its owner may use (0600).
///
/// Completed changes survive the end of the process, including a crash (write-ahead log). A power
/// failure may lose the last changes. Other parts of the app may have their own tables in the file.
///
/// Only one process uses the file at a time: a lock on the file beside it, with `-host` at the end
/// of its name, refuses a second one.
public final class SQLiteSessionStore: SessionStore {
    /// The file of the store.
    public let file: URL

    private let database: DatabaseQueue
    private let lock: ProcessLock

    /// Opens the store in `file`, or creates the file.
    ///
    /// - Throws: ``SessionFileError`` if the file cannot be opened, is damaged, or is in use by
    ///   another process.
    public init(file: URL) throws {
        do {
            guard let lock = try ProcessLock(path: file.path + "-host") else { throw SessionFileError.Reason.inUse }
            self.lock = lock
            self.file = file
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
            // Without this, damage would be found later, while users are already waiting.
            let check = try database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
            if let check, check != "ok" { throw SessionFileError.Reason.damaged(check) }
        } catch {
            throw SessionFileError(path: file.path, cause: error)
        }
    }

    /// Returns all records by their keys.
    public func records() async throws -> [String: Data] {
        try await database.read { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT key, data FROM sessionRecord WHERE key <> 'check'")
            var records: [String: Data] = [:]
            while let row = try rows.next() { records[row["key"]] = row["data"] }
            return records
        }
    }

    /// Makes all changes in one transaction.
    public func update(_ changes: [String: Data?]) async throws {
        try await database.write { database in
            for (key, data) in changes {
                if let data {
                    // `INSERT OR REPLACE` would write the index of the keys, too.
                    try database.cachedStatement(
                        sql: "INSERT INTO sessionRecord VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data"
                    )
                    .execute(arguments: [key, data])
                } else {
                    try database.cachedStatement(sql: "DELETE FROM sessionRecord WHERE key = ?")
                        .execute(arguments: [key])
                }
            }
        }
    }

    /// Writes as much as a large record, and removes it again.
    public func check() async throws {
        // SQLite goes on with a deleted file, which ends with the process.
        guard FileManager.default.fileExists(atPath: file.path) else { throw CocoaError(.fileNoSuchFile) }
        try await update(["check": Data(count: 16 * 1024)])
        try await update(["check": nil])
    }

    /// Writes the log into the file, so that a copy of the file alone is complete.
    public func close() async throws {
        try await database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    /// Creates the file if needed, and makes sure that only its owner may use it.
    ///
    /// The file gets its permissions when it is created, not later. Otherwise another process could
    /// open it in between and keep it open. Links are not followed. The files that SQLite adds have
    /// the same permissions.
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
