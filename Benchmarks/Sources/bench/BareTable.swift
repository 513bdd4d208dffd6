import BackplaneFeatures
import Foundation
import GRDB

/// The baseline of an outbox: a table with the same columns and the same durability, without
/// indexes except for the unique ID.
struct BareTable: Sendable {
    private static let schema = """
        CREATE TABLE operation (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            account TEXT NOT NULL,
            entity TEXT NOT NULL,
            isHead INTEGER NOT NULL,
            dependsOn TEXT,
            kind TEXT NOT NULL,
            version INTEGER NOT NULL,
            label TEXT,
            record BLOB,
            change BLOB,
            base BLOB,
            theirs BLOB,
            request BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            entityTag TEXT,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            notBefore INTEGER NOT NULL,
            createdAt INTEGER NOT NULL,
            firstSentAt INTEGER,
            status INTEGER,
            reason TEXT
        )
        """

    private static let insertion = """
        INSERT INTO operation (
            id, account, entity, isHead, kind, version, request, checksum, state, attempts, notBefore, createdAt
        ) VALUES (?, 'ada', ?, 0, 'notes', 1, ?, 8070450532247928832, 'queued', 0, 0, 1800000000000)
        """

    private let queue: DatabaseQueue

    init(file: URL) throws {
        var configuration = Configuration()
        configuration.journalMode = .wal
        queue = try DatabaseQueue(path: file.path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // GRDB sets another value when it opens a file with a write-ahead log.
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
            try database.execute(sql: BareTable.schema)
        }
    }

    /// Inserts a row for a note, in a transaction of its own.
    func insert(_ bytes: Data, for note: Int) async throws {
        try await queue.write { database in try BareTable.insert(bytes, for: note, into: database) }
    }

    /// Inserts `count` rows for a number of notes in turn, in one transaction.
    func fill(_ count: Int, notes: Int, with bytes: Data) throws {
        try queue.write { database in
            for number in 0..<count { try BareTable.insert(bytes, for: number % notes, into: database) }
        }
    }

    /// Reads the first row and removes it, in a transaction of its own.
    func takeNext() async throws {
        try await queue.write { database in
            let select = try database.cachedStatement(sql: "SELECT * FROM operation ORDER BY seq LIMIT 1")
            guard let row = try Row.fetchOne(select) else { preconditionFailure("The table is empty.") }
            let seq: Int64 = row["seq"]
            let delete = try database.cachedStatement(sql: "DELETE FROM operation WHERE seq = ?")
            try delete.execute(arguments: [seq])
        }
    }

    private static func insert(_ bytes: Data, for note: Int, into database: Database) throws {
        let insert = try database.cachedStatement(sql: insertion)
        try insert.execute(arguments: ["\(IdempotencyKey())", "note-\(note)", bytes])
    }
}
