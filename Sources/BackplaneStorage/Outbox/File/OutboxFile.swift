internal import BackplaneConcurrency
internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation
internal import GRDB

/// The file of an outbox: opens it, and runs its transactions.
///
/// The transactions are in extensions of ``OutboxTransaction``. They are short, and none of them
/// waits for the network.
///
/// Generic functions are `@concurrent`. Otherwise Swift 6.3.1 returns from a specialized one on
/// another executor than that of its caller, if it is optimized (swiftlang/swift#88687).
final class OutboxFile: Sendable {
    let path: String
    let database: DatabaseQueue
    /// Whether a newer version of the library has written the file (D19).
    let isNewer: Bool
    /// Whether there is no file, so that the operations end with the process.
    let isInMemory: Bool
    let clock: OutboxClock
    let patience = OutboxPatience()
    private let hasReserve: Locked<Bool>

    /// The free space that is given up when the disk is full, so that operations the server has
    /// confirmed can be removed (D15).
    ///
    /// A log that is emptied moves into the file, which may have to grow by all of it.
    private static let reserve = logPages * 1024 + 256 * 1024
    /// The number of pages of one kilobyte in the log after which it is reused.
    private static let logPages = 1000

    /// Opens the file, or creates it if none exists.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - clock: The clock for waits and ages.
    ///   - prepare: Prepares the connection after everything else, for tests of full disks.
    /// - Throws: ``StorageError``. The file is never replaced.
    init(
        path: String,
        clock: OutboxClock,
        prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) throws {
        self.path = path
        self.clock = clock
        // While one process turns a new file into a database and names it, others wait.
        let lock: FileLock
        do {
            lock = try FileLock(blockingAtPath: path + "-lock")
        } catch {
            throw StorageError.cannotOpenOutbox(path, error)
        }
        defer { lock.release() }
        do {
            (database, isNewer) = try Self.launch(path, patience, at: clock.start, prepare)
        } catch {
            throw StorageError.cannotOpenOutbox(path, error)
        }
        Self.protect(path)
        (isInMemory, hasReserve) = (false, Locked(true))
        guard !isNewer else { return }
        restoreReserve()
        // D40: The last process may have ended before it did so.
        database.inDatabase(emptyLog)
    }

    /// Creates a database that has no file, and ends with the process.
    ///
    /// - Throws: ``StorageError`` with `cannotOpen`.
    init(inMemory clock: OutboxClock) throws {
        (path, self.clock) = ("memory", clock)
        do {
            database = try DatabaseQueue(configuration: Configuration())
            try OutboxSchema.migrator.migrate(database)
        } catch {
            throw StorageError.cannotOpenOutbox(path, error)
        }
        (isNewer, isInMemory, hasReserve) = (false, true, Locked(true))
    }

    /// Opens the file, and performs the first transaction of a launch.
    private static func launch(
        _ path: String,
        _ patience: OutboxPatience,
        at start: Int64,
        _ prepare: @escaping @Sendable (Database) throws -> Void
    ) throws -> (database: DatabaseQueue, isNewer: Bool) {
        func launch() throws -> (database: DatabaseQueue, isNewer: Bool) {
            let (database, isNewer) = try open(path, patience, prepare)
            if !isNewer { try begin(database, path, at: start) }
            return (database, isNewer)
        }
        do {
            return try launch()
        } catch  where error.isAboutSpace && giveUpReserve(of: path) {
            // D35: The first transaction needs space, too.
            return try launch()
        }
    }

    private static func open(
        _ path: String,
        _ patience: OutboxPatience,
        _ prepare: @escaping @Sendable (Database) throws -> Void
    ) throws -> (database: DatabaseQueue, isNewer: Bool) {
        let exists = FileManager.default.fileExists(atPath: path)
        for suffix in ["", "-wal", "-shm"] where suffix.isEmpty || FileManager.default.fileExists(atPath: path + suffix)
        {
            try PrivateFile.secure(atPath: path + suffix)
        }
        var configuration = Configuration()
        configuration.busyMode = .callback { tries in patience.wait(tries: tries) }
        configuration.prepareDatabase { database in
            // D1, D16: A commit is on the disk when it returns. GRDB's own setting for this journal
            // mode would reduce `synchronous` to NORMAL.
            // Each commit changes a few bytes of several pages, so pages are small, and a cache of
            // one megabyte holds those in use.
            // D40: Removed words are overwritten.
            try database.execute(
                sql: """
                    PRAGMA page_size = 1024; PRAGMA cache_size = -1024; PRAGMA wal_autocheckpoint = \(logPages);
                    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
                    PRAGMA secure_delete = ON
                    """
            )
            try prepare(database)
        }
        let database = try DatabaseQueue(path: path, configuration: configuration)
        let migrator = OutboxSchema.migrator
        let isNewer = try exists && database.read { try migrator.hasBeenSuperseded($0) }
        if !isNewer { try migrator.migrate(database) }
        return (database, isNewer)
    }

    /// Frees the reserve; returns whether there was one.
    private static func giveUpReserve(of path: String) -> Bool {
        (try? FileManager.default.removeItem(atPath: path + "-reserve")) != nil
    }

    /// D16: Notices a copy from a backup, and a clock that was set back since the last run.
    private static func begin(_ database: DatabaseQueue, _ path: String, at start: Int64) throws {
        let sidecar = path + "-install"
        // The name next to the file comes first: a process that ends here leaves no file that looks
        // like a copy.
        let install = try (try? String(contentsOfFile: sidecar, encoding: .utf8)) ?? name(sidecar)
        try database.write { database in
            let transaction = OutboxTransaction(database: database)
            if let written = try transaction.fact("install"), written != install { try transaction.reviewAll() }
            try transaction.set("install", to: install)
            try transaction.noteStart(at: start)
            try transaction.forgetOld(at: start)
        }
    }

    /// Runs a transaction that adds to the file, after the ones that were begun before.
    ///
    /// - Parameters:
    ///   - statement: Tries to do the same by one statement, which is a transaction of its own and
    ///     takes less time; returns whether it has.
    ///   - updates: The transaction.
    ///   - completion: Receives ``StorageError`` with `notSaved`, `full` or `newerVersion` if
    ///     nothing has changed, and otherwise `nil`.
    func save(
        byOne statement: @escaping @Sendable (OutboxTransaction) throws -> Bool = { _ in false },
        _ updates: @escaping @Sendable (OutboxTransaction) throws -> Void,
        completion: @escaping @Sendable (StorageError?) -> Void
    ) {
        do { try checkForSaving() } catch { return completion(error) }
        database.asyncWriteWithoutTransaction { [path] database in
            let transaction = OutboxTransaction(database: database)
            do {
                if try !statement(transaction) {
                    try database.inTransaction(.immediate) {
                        try updates(transaction)
                        return .commit
                    }
                }
            } catch {
                return completion(error as? StorageError ?? .notSaved(path, error))
            }
            completion(nil)
        }
    }

    private func checkForSaving() throws(StorageError) {
        if isNewer { throw .newerOutbox(path) }
        // The space of the reserve is for operations that are confirmed, not for new ones.
        if !hasReserve.withLock({ $0 }), !restoreReserve() { throw .notSaved(path, nil) }
    }

    /// Writes as much as a large operation, and removes it again.
    ///
    /// - Throws: ``StorageError`` with `notSaved` or `newerVersion`.
    func checkSaving() async throws {
        try checkForSaving()
        do {
            // SQLite goes on with a deleted file, which ends with the process.
            guard isInMemory || FileManager.default.fileExists(atPath: path) else { throw POSIXError(.ENOENT) }
            let text = String(repeating: "x", count: 16 * 1024)
            try await database.write { try OutboxTransaction(database: $0).set("check", to: text) }
            try await database.write { try OutboxTransaction(database: $0).set("check", to: "") }
        } catch {
            throw StorageError.notSaved(path, error)
        }
    }

    /// Runs a transaction that records what the server has said, also if the calling task is
    /// cancelled.
    ///
    /// - Throws: The error of the database, after the reserve has been given up.
    @concurrent
    func settle<Value: Sendable>(
        _ updates: @escaping @Sendable (OutboxTransaction) throws -> Value
    ) async throws -> Value {
        // A task of its own: a stop must not cancel it, because requests have been carried out.
        try await Task<Value, any Error> {
            do {
                return try await self.database.write { try updates(OutboxTransaction(database: $0)) }
            } catch  where error.isAboutSpace {
                self.hasReserve.withLock { $0 = false }
                _ = Self.giveUpReserve(of: self.path)
                // Empties the log, which grows for as long as nobody empties it.
                try? await self.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
                return try await self.database.write { try updates(OutboxTransaction(database: $0)) }
            }
        }.value
    }

    /// D40: Empties the log, in which the words of removed operations are, unless another process
    /// reads it at the moment.
    @concurrent
    func wipe() async {
        guard !isNewer, !isInMemory else { return }
        // A task of its own, because a cancelled one would not write, as at the end of a sender.
        await Task { try? await database.writeWithoutTransaction(emptyLog) }.value
    }

    private func emptyLog(_ database: Database) {
        patience.withoutWaiting { _ = try? database.checkpoint(.truncate) }
    }

    /// Reads the file, without a wait for other processes that write.
    ///
    /// - Throws: ``StorageError``.
    @concurrent
    func read<Value: Sendable>(_ value: @escaping @Sendable (OutboxTransaction) throws -> Value) async throws -> Value {
        do {
            return try await database.unsafeRead { database in
                try database.readConsistently { try value(OutboxTransaction(database: $0)) }
            }
        } catch {
            throw failure(because: error)
        }
    }

    /// Changes the file.
    ///
    /// - Throws: ``StorageError``, also if the file is read only.
    @concurrent
    func change<Value: Sendable>(
        _ updates: @escaping @Sendable (OutboxTransaction) throws -> Value
    ) async throws -> Value {
        do {
            // A newer file must stay as it is, and a change fails in a reading transaction.
            return try await isNewer
                ? database.read { try updates(OutboxTransaction(database: $0)) }
                : database.write { try updates(OutboxTransaction(database: $0)) }
        } catch {
            let failure = failure(because: error)
            throw isNewer && (failure as? StorageError)?.code == .databaseFailed
                ? StorageError.newerOutbox(path) : failure
        }
    }

    private func failure(because error: any Error) -> any Error {
        error is StorageError || error is CancellationError ? error : StorageError.outboxFailed(path, error)
    }

    @discardableResult
    private func restoreReserve() -> Bool {
        let path = path + "-reserve"
        if (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) != Self.reserve {
            do {
                try PrivateFile.secure(atPath: path)
                try Data(repeating: 0x55, count: Self.reserve).write(to: URL(filePath: path))
            } catch {
                try? FileManager.default.removeItem(atPath: path)
                hasReserve.withLock { $0 = false }
                return false
            }
        }
        hasReserve.withLock { $0 = true }
        return true
    }

    /// D16: The file can be read after the first unlock of the device, also in the background.
    private static func protect(_ path: String) {
        #if canImport(Darwin)
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.setAttributes(
                    [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                    ofItemAtPath: path + suffix
                )
            }
        #endif
    }

    /// Gives this installation of the app a name, which no backup contains.
    private static func name(_ sidecar: String) throws -> String {
        let name = UUID().uuidString
        try PrivateFile.replace(atPath: sidecar, with: Data(name.utf8))
        excludeFromBackup(sidecar)
        return name
    }

    private static func excludeFromBackup(_ path: String) {
        #if canImport(Darwin)
            var url = URL(filePath: path)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? url.setResourceValues(values)
        #endif
    }
}

extension Database {
    /// Runs a transaction that only reads.
    ///
    /// `DatabaseQueue.read` would set `PRAGMA query_only`, after which SQLite compiles all cached
    /// statements again.
    fileprivate func readConsistently<Value>(_ value: (Database) throws -> Value) throws -> Value {
        var result: Value?
        try inTransaction(.deferred) {
            result = try value(self)
            return .commit
        }
        guard let result else { preconditionFailure("A committed transaction has a result.") }
        return result
    }
}

extension Error {
    /// Whether a lack of space may be the reason.
    fileprivate var isAboutSpace: Bool {
        guard let error = self as? DatabaseError else { return (self as? POSIXError)?.code == .ENOSPC }
        return [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode)
    }
}
