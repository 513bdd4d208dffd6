import Foundation
import GRDB

/// Files as earlier versions of the library have written them.
///
/// They never change. A version that changes the tables adds its file here.
enum OutboxGolden {
    /// Writes a file of the first version, with an operation for the note "a".
    static func writeVersion1(to file: URL) throws {
        try DatabaseQueue(path: file.path).write { database in
            try database.execute(sql: version1)
            try database.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('outbox 1');
                    INSERT INTO alias VALUES ('ada', 'local-1', 'server-1');
                    INSERT INTO operation VALUES (
                        7, '\(key)', 'ada', 'a', 1, NULL, 'notes', 1, 'An old note', NULL, NULL, NULL, NULL,
                        CAST(?1 AS BLOB), ?2, '"tag"', 'queued', 1, 0, 999999000, NULL, 503, 'busy'
                    );
                    """,
                arguments: [request, checksum]
            )
        }
    }

    static let key = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
    static let body = #"{ "text" : "from long ago" }"#
    private static let request = "PUT notes/a\nContent-Type: application/json\n\n\(body)"
    private static let checksum: Int64 = 113_194_545_646_890_334

    private static let version1 = """
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
        );
        CREATE INDEX operationOfEntity ON operation (account, entity, seq);
        CREATE INDEX operationToSend ON operation (account, state, notBefore, seq) WHERE isHead = 1;
        CREATE INDEX operationThatDepends ON operation (dependsOn) WHERE dependsOn IS NOT NULL;

        CREATE TABLE lease (
            account TEXT PRIMARY KEY,
            holder TEXT NOT NULL,
            expiresAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE alias (
            account TEXT NOT NULL,
            old TEXT NOT NULL,
            new TEXT NOT NULL,
            PRIMARY KEY (account, old)
        ) WITHOUT ROWID;
        CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """
}
