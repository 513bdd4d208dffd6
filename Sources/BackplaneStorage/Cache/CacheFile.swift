internal import BackplaneConcurrency
internal import BackplaneNetworking
internal import Foundation
internal import GRDB

/// The database of cached responses: opens it, and makes it anew if it cannot be used.
///
/// The file contains copies only, so it is deleted where other files would need care.
struct CacheFile {
    /// The number of counters that tell whether something was removed.
    ///
    /// Keys share counters; a removal of another key with the same counter only means that a
    /// response is not stored.
    static let fences = 4096

    /// The version of the tables; a file with another one is deleted.
    private static let version = 1

    let database: DatabaseQueue
    /// A second connection, whose reads wait for no write.
    private let reader: DatabaseQueue
    let digestKey: SipKey

    /// Opens the file, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - prepare: Prepares the connection after everything else, for tests of full disks.
    /// - Throws: The error of SQLite or of the file system, if the file cannot be made anew either.
    init(path: String, prepare: @escaping @Sendable (Database) throws -> Void) throws {
        // While one process turns a new file into a database, others wait.
        let lock = try FileLock(blockingAtPath: path + "-lock")
        defer { lock.release() }
        do {
            self = try Self(opening: path, prepare)
        } catch {
            Self.delete(path)
            self = try Self(opening: path, prepare)
        }
        Self.excludeFromBackup(path)
    }

    private init(opening path: String, _ prepare: @escaping @Sendable (Database) throws -> Void) throws {
        for suffix in ["", "-wal", "-shm"] where suffix.isEmpty || FileManager.default.fileExists(atPath: path + suffix)
        {
            try PrivateFile.secure(atPath: path + suffix)
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { database in
            // A response of a user who has signed out leaves no bytes in the file.
            try database.execute(
                sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON"
            )
            try prepare(database)
        }
        database = try DatabaseQueue(path: path, configuration: configuration)
        digestKey = try database.write { database in
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            if version == 0 { try Self.createTables(database) }
            guard version == 0 || version == Self.version else { throw DatabaseError(resultCode: .SQLITE_SCHEMA) }
            // The owners of these responses have ended with their process.
            try database.execute(sql: "DELETE FROM response WHERE partition LIKE 'session:%'")
            let words = try Row.fetchOne(database, sql: "SELECT first, second FROM state").map { row in
                Array(row.databaseValues).compactMap { Int64.fromDatabaseValue($0) }.map { UInt64(bitPattern: $0) }
            }
            guard let words, words.count == 2 else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            let key = SipKey(first: words[0], second: words[1])
            // Fails if the tables have another form.
            let transaction = CacheTransaction(database: database, digestKey: key, isHeuristic: false)
            _ = try transaction.entries(for: ResponseKey(partition: "", url: ""))
            return key
        }
        var reading = Configuration()
        reading.readonly = true
        reader = try DatabaseQueue(path: path, configuration: reading)
    }

    /// Reads on the calling thread, which takes less time than a change of threads.
    func readAtOnce<Value>(_ body: (Database) throws -> Value) throws -> Value { try reader.read(body) }

    private static func createTables(_ database: Database) throws {
        let key = SipKey.random()
        try database.execute(
            sql: """
                PRAGMA user_version = \(version);
                CREATE TABLE response (
                    id INTEGER PRIMARY KEY, url TEXT NOT NULL, partition TEXT NOT NULL,
                    names TEXT NOT NULL, selection INTEGER NOT NULL, fingerprint INTEGER NOT NULL,
                    requestSize INTEGER NOT NULL, status INTEGER NOT NULL, fields TEXT NOT NULL, body BLOB NOT NULL,
                    requestedAt REAL NOT NULL, receivedAt REAL NOT NULL, size INTEGER NOT NULL, lastUse INTEGER NOT NULL
                );
                CREATE INDEX responseByURL ON response (url, partition, receivedAt);
                CREATE INDEX responseByUse ON response (lastUse);
                CREATE TABLE fence (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);
                CREATE TABLE state (first INTEGER NOT NULL, second INTEGER NOT NULL, size INTEGER NOT NULL);
                CREATE TRIGGER added AFTER INSERT ON response BEGIN UPDATE state SET size = size + new.size; END;
                CREATE TRIGGER removed AFTER DELETE ON response BEGIN UPDATE state SET size = size - old.size; END;
                """
        )
        try database.execute(
            sql: "INSERT INTO state VALUES (?, ?, 0)",
            arguments: [Int64(bitPattern: key.first), Int64(bitPattern: key.second)]
        )
    }

    /// Deletes the file and what SQLite has next to it.
    static func delete(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    private static func excludeFromBackup(_ path: String) {
        #if canImport(Darwin)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            for suffix in ["", "-wal", "-shm"] {
                var file = URL(fileURLWithPath: path + suffix)
                try? file.setResourceValues(values)
            }
        #endif
    }
}
