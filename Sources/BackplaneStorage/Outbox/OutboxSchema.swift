internal import GRDB

/// The tables of an outbox file.
///
/// Migrations only add tables and columns (D19).
enum OutboxSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("outbox 1") { database in
            try database.execute(sql: version1)
        }
        return migrator
    }

    /// - `isHead` marks the operation of an entity that is sent next, so that finding the
    ///   operations to send does not depend on how many wait behind them.
    /// - `tally` counts the operations, because counting them at each change would take longer the
    ///   more there are. Triggers keep it right, whichever process writes.
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
        CREATE INDEX operationToSend ON operation (account, notBefore, seq) WHERE isHead = 1 AND state = 'queued';
        CREATE INDEX operationThatDepends ON operation (dependsOn) WHERE dependsOn IS NOT NULL;

        CREATE TABLE tally (
            account TEXT NOT NULL,
            state TEXT NOT NULL,
            count INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (account, state)
        ) WITHOUT ROWID;
        CREATE TRIGGER tallyInsert AFTER INSERT ON operation BEGIN
            INSERT INTO tally VALUES (new.account, new.state, 1, \(size("new")))
            ON CONFLICT DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER tallyDelete AFTER DELETE ON operation BEGIN
            UPDATE tally SET count = count - 1, bytes = bytes - \(size("old"))
            WHERE account = old.account AND state = old.state;
        END;
        CREATE TRIGGER tallyUpdate AFTER UPDATE OF state, request, change, base ON operation BEGIN
            UPDATE tally SET count = count - 1, bytes = bytes - \(size("old"))
            WHERE account = old.account AND state = old.state;
            INSERT INTO tally VALUES (new.account, new.state, 1, \(size("new")))
            ON CONFLICT DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes;
        END;

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

    private static func size(_ row: String) -> String {
        "length(\(row).request) + ifnull(length(\(row).change), 0) + ifnull(length(\(row).base), 0)"
    }
}
