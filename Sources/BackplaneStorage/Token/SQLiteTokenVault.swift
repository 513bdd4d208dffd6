internal import BackplaneConcurrency
public import BackplaneNetworking
public import Foundation
internal import GRDB

/// A vault in an SQLite file, with one row for each account.
///
/// Only its permissions protect the file: only the owner can use it (0600). This is also true of
/// the files next to it (`-wal`, `-shm`, `-lock`, `-lock-write`). The file is not encrypted. On
/// Apple platforms, `KeychainTokenVault` is the better place for tokens.
///
/// Saving returns when the tokens are on the disk (write-ahead log, `synchronous=FULL`). Clearing
/// overwrites the tokens and empties the log, so no tokens remain in the file. Several vaults may
/// use one file, in one process or in several. If several processes share *one account*, they may
/// refresh its tokens at the same time. Servers accept this only for a short time. For such
/// processes, use `FileTokenVault`, which has a lock.
///
/// ```swift
/// let file = directory.appending(path: "tokens.sqlite")
/// let vault = try SQLiteTokenVault(file: file, account: user.id)
/// if let tokens = try await vault.load() { … }
/// ```
public final class SQLiteTokenVault: TokenVault {
    let database: DatabaseQueue
    private let account: String
    private let lockPath: String

    /// Creates a vault for `account` in `file`, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - file: The database. Its directory must exist. If other users may use the file, their
    ///     permissions are removed.
    ///   - account: The owner of the tokens: any string that is the same at the next launch.
    /// - Throws: ``StorageError`` with the code ``StorageError/Code/cannotOpen``.
    public init(file: URL, account: String) throws {
        self.account = account
        lockPath = file.path + "-lock"
        do {
            // While one vault turns a new file into a database, other vaults wait.
            let lock = try FileLock(blockingAtPath: lockPath)
            defer { lock.release() }
            for suffix in ["", "-wal", "-shm"] where suffix.isEmpty || Self.exists(file.path + suffix) {
                try PrivateFile.secure(atPath: file.path + suffix)
            }
            var configuration = Configuration()
            configuration.busyMode = .timeout(30)
            configuration.prepareDatabase { database in
                // GRDB's own setting for this journal mode would reduce `synchronous` to NORMAL.
                try database.execute(
                    sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON"
                )
            }
            database = try DatabaseQueue(path: file.path, configuration: configuration)
            try Self.migrator.migrate(database)
        } catch {
            throw StorageError(
                code: .cannotOpen,
                path: file.path,
                message: """
                    The token vault could not be opened. Check that its directory exists and is writable, and that the \
                    file is a database and not a symbolic link.
                    """,
                cause: error
            )
        }
    }

    /// Returns the last saved tokens of the account, or `nil` if there are none.
    ///
    /// - Throws: ``StorageError``, or `CancellationError` if the task is cancelled.
    public func load() async throws -> NetworkTokens? {
        let data = try await failing("read") { [account] database in
            try Data.fetchOne(database, sql: "SELECT tokens FROM tokenVault WHERE account = ?", arguments: [account])
        }
        do {
            return try data.map { try JSONDecoder().decode(NetworkTokens.self, from: $0).stored }
        } catch {
            throw StorageError(
                code: .unreadable,
                path: database.path,
                message: "The token vault does not contain valid tokens for the account. Clear it and sign in again.",
                cause: error
            )
        }
    }

    /// Replaces the tokens of the account, and returns when they are on the disk.
    ///
    /// - Throws: ``StorageError``, or `CancellationError` if the task is cancelled. In this case,
    ///   the stored tokens do not change.
    public func save(_ tokens: NetworkTokens) async throws {
        try await failing("written") { [account] database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO tokenVault (account, tokens) VALUES (?, ?)",
                arguments: [account, JSONEncoder().encode(tokens)]
            )
        }
    }

    /// Removes the tokens of the account, so that the file does not contain their bytes any longer.
    ///
    /// - Throws: ``StorageError``, or `CancellationError` if the task is cancelled.
    public func clear() async throws {
        try await failing("cleared") { [account, lockPath] database in
            // SQLite makes readers and writers wait for each other, but not the operations that
            // empty the log.
            let lock = try FileLock(blockingAtPath: lockPath)
            defer { lock.release() }
            try database.execute(sql: "DELETE FROM tokenVault WHERE account = ?", arguments: [account])
            try database.checkpoint(.truncate)
        }
    }

    /// Runs `body` while no other vault of this file, in any process, holds the write lock.
    ///
    /// - Throws: ``StorageError`` if the lock does not become free within 30 seconds.
    ///   `CancellationError` if the task is cancelled while it waits.
    @concurrent
    public func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws {
        // A separate lock from the lock of `clear`, which is called in `body`.
        for _ in 0..<1_500 {
            if let lock = try? FileLock(tryingAtPath: lockPath + "-write") {
                await body()
                lock.release()
                return
            }
            // The system has no call that waits for a file lock without blocking a thread.
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
        throw StorageError(
            code: .databaseFailed,
            path: database.path,
            message: """
                The token vault could not be locked within 30 s. Check that its directory is writable, and that no \
                other process hangs while it uses the vault.
                """,
            cause: nil
        )
    }

    /// Accesses the database outside of a transaction.
    ///
    /// Each operation is one statement, and emptying the log must not run in a transaction.
    @concurrent
    private func failing<Value: Sendable>(
        _ verb: String,
        _ access: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await database.writeWithoutTransaction(access)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw StorageError(
                code: .databaseFailed,
                path: database.path,
                message: """
                    The token vault could not be \(verb). Check that the disk has free space and that no other \
                    process keeps the file locked. See `cause` for SQLite's reason.
                    """,
                cause: error
            )
        }
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("tokenVault 1") { database in
            try database.create(table: "tokenVault") { table in
                table.primaryKey("account", .text)
                table.column("tokens", .blob).notNull()
            }
        }
        return migrator
    }
}
