internal import BackplaneConcurrency
public import BackplaneNetworking
public import Foundation
internal import GRDB

/// A vault in an SQLite file, one row for each account.
///
/// The file is protected by its permissions only: it, and what is put beside it (`-wal`, `-shm`, `-lock`, `-lock-write`), can be
/// used by its owner (0600). It is not encrypted; on Apple platforms, a vault over the Keychain is the better place for tokens.
///
/// Saving returns when the tokens are on the disk (write-ahead log, `synchronous=FULL`). Clearing overwrites them and
/// empties the log, so that they are not left in the file. Several vaults, in one process or several, may use one file; but
/// processes that share *one account* may refresh its tokens at the same time, which servers forgive for a short while only:
/// for those, `FileTokenVault` has a lock.
///
/// ```swift
/// let vault = try SQLiteTokenVault(file: directory.appending(path: "tokens.sqlite"), account: user.id)
/// if let tokens = try await vault.load() { … }
/// ```
public final class SQLiteTokenVault: TokenVault {
    private let database: DatabaseQueue
    private let account: String
    private let lockPath: String

    /// The vault of `account` in `file`, which is created if it is not there.
    ///
    /// - Parameters:
    ///   - file: the database; its directory must exist. A file that others may use is taken from them.
    ///   - account: whose tokens; any string that is the same at the next launch.
    /// - Throws: ``StorageError`` with the code ``StorageError/Code/cannotOpen``.
    public init(file: URL, account: String) throws {
        self.account = account
        lockPath = file.path + "-lock"
        do {
            // Whoever comes while a new file is made into a database waits.
            let lock = try FileLock(blockingAtPath: lockPath)
            defer { lock.release() }
            for suffix in ["", "-wal", "-shm"] where suffix.isEmpty || Self.exists(file.path + suffix) {
                try PrivateFile.secure(atPath: file.path + suffix)
            }
            var configuration = Configuration()
            configuration.journalMode = .wal
            configuration.busyMode = .timeout(30)
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
            }
            database = try DatabaseQueue(path: file.path, configuration: configuration)
            try Self.migrator.migrate(database)
        } catch {
            throw StorageError(
                code: .cannotOpen,
                path: file.path,
                message: """
                    The token vault could not be opened. Check that its directory exists and may be written to, and that \
                    the file is a database and no link.
                    """,
                cause: error
            )
        }
    }

    /// The tokens last saved for the account, or `nil` if there are none.
    ///
    /// - Throws: ``StorageError``, or `CancellationError` when the task is cancelled.
    public func load() async throws -> NetworkTokens? {
        let data = try await failing("read") { [account] database in
            try Data.fetchOne(database, sql: "SELECT tokens FROM tokenVault WHERE account = ?", arguments: [account])
        }
        do {
            return try data.map { try JSONDecoder().decode(NetworkTokens.self, from: $0) }
        } catch {
            throw StorageError(
                code: .unreadable,
                path: database.path,
                message:
                    "What the token vault holds for the account is not a pair of tokens. Clear it and log in again.",
                cause: error
            )
        }
    }

    /// Replaces the account's tokens; on return they are on the disk.
    ///
    /// - Throws: ``StorageError``, or `CancellationError` when the task is cancelled; then nothing has changed.
    public func save(_ tokens: NetworkTokens) async throws {
        try await failing("written") { [account] database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO tokenVault (account, tokens) VALUES (?, ?)",
                arguments: [account, JSONEncoder().encode(tokens)]
            )
        }
    }

    /// Removes the account's tokens, and what is left of them in the file.
    ///
    /// - Throws: ``StorageError``, or `CancellationError` when the task is cancelled.
    public func clear() async throws {
        try await failing("cleared") { [account, lockPath] database in
            // SQLite itself lets readers and writers wait for each other, but not those who empty the log.
            let lock = try FileLock(blockingAtPath: lockPath)
            defer { lock.release() }
            try database.execute(sql: "DELETE FROM tokenVault WHERE account = ?", arguments: [account])
            try database.checkpoint(.truncate)
        }
    }

    /// Runs `body` while no other vault of this file, in any process, runs one in here.
    ///
    /// - Throws: ``StorageError`` when the lock cannot be had within 30 seconds; `CancellationError` when the task is
    ///   cancelled while it waits.
    @concurrent
    public func withWriteLock(_ body: @escaping @Sendable () async -> Void) async throws {
        // Not the lock of `clear`, which is called in here.
        for _ in 0..<1_500 {
            if let lock = try? FileLock(tryingAtPath: lockPath + "-write") {
                await body()
                lock.release()
                return
            }
            // The system has no call that waits for a file's lock without blocking a thread.
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
        throw StorageError(
            code: .databaseFailed,
            path: database.path,
            message: """
                The token vault could not be locked within 30 s. Check that its directory may be written to, and that no \
                other process hangs while it uses the vault.
                """,
            cause: nil
        )
    }

    /// Accesses the database, outside of a transaction: each operation is one statement, and emptying the log must not be
    /// in one.
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
                    The token vault could not be \(verb). Check that there is space on the disk and that no other \
                    process keeps the file locked; the cause has SQLite's reason.
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
