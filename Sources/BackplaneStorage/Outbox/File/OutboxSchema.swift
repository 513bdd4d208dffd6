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
        migrator.registerMigration("outbox receipts") { database in
            // The keys of the last operations that the server has confirmed (D30).
            try database.execute(sql: "CREATE TABLE receipt (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)")
        }
        // When a launch has first seen the alias, so that an old one is removed (D40).
        migrator.registerMigration("outbox aliases") { database in
            try database.execute(sql: "ALTER TABLE alias ADD COLUMN seenAt INTEGER")
        }
        migrator.registerMigration("outbox blockers") { database in
            try database.execute(sql: blockers)
        }
        return migrator
    }

    /// - `isHead` marks the operation of an entity that is sent next, so that finding the
    ///   operations to send does not depend on how many wait behind them.
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

    /// - `blockedBy` is the operation for which an operation waits, so that finding the operations
    ///   to send does not depend on how many of a list in order wait for others (D32).
    /// - `operationWithTag` finds the operations that a confirmation gives another tag (D28).
    private static let blockers = """
        ALTER TABLE operation ADD COLUMN blockedBy TEXT;
        CREATE INDEX operationThatIsBlocked ON operation (blockedBy) WHERE blockedBy IS NOT NULL;
        CREATE INDEX operationWithTag ON operation (account, entity) WHERE entityTag IS NOT NULL;
        DROP INDEX operationToSend;
        CREATE INDEX operationToSend ON operation (account, state, notBefore, seq)
        WHERE isHead = 1 AND blockedBy IS NULL;
        """
}
