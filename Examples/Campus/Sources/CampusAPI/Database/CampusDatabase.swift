import GRDB

/// The database file, migrated to the present schema and, when it is new, seeded.
///
/// A pool keeps the file in WAL mode: readers never wait for the writer.
struct CampusDatabase: Sendable {
    let pool: DatabasePool

    /// Opens the file at `path`, which is made when there is none.
    ///
    /// - Throws: ``CampusAPIError`` when it cannot be opened or brought up to date.
    init(path: String, passwordCost: PasswordCost) throws {
        do {
            pool = try DatabasePool(path: path)
            var migrator = DatabaseMigrator()
            migrator.registerMigration("schema") { try $0.execute(sql: Self.schema) }
            // A migration runs once in the life of a file, and wholly or not at all: just what a seed needs.
            migrator.registerMigration("seed") { try Seed.campus.insert(into: $0, passwordCost: passwordCost) }
            migrator.registerMigration("messages") { try $0.execute(sql: Self.messages) }
            migrator.registerMigration("catalog") { db in
                try db.execute(sql: Self.catalog)
                for product in Seed.products { try Seed.insert(product, into: db) }
            }
            migrator.registerMigration("sessions") { try $0.execute(sql: Self.sessions) }
            migrator.registerMigration("idempotency") { try $0.execute(sql: Self.idempotency) }
            migrator.registerMigration("shop") { try $0.execute(sql: Self.shop) }
            try migrator.migrate(pool)
        } catch {
            throw CampusAPIError(
                .databaseUnavailable,
                """
                The database '\(path)' cannot be used: \(error). \
                Its directory must exist and be writable, and the file must be one that Campus made.
                """,
                cause: error
            )
        }
    }

    private static let schema = """
        CREATE TABLE user (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            email TEXT NOT NULL UNIQUE,  -- in lower case
            passwordHash TEXT NOT NULL
        ) STRICT;
        CREATE TABLE tutor (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            email TEXT NOT NULL,
            officeHours TEXT NOT NULL
        ) STRICT;
        CREATE TABLE course (
            id TEXT PRIMARY KEY,
            title TEXT NOT NULL,
            summary TEXT NOT NULL,
            tutorID TEXT NOT NULL REFERENCES tutor (id)
        ) STRICT;
        CREATE TABLE scheduleItem (
            id TEXT PRIMARY KEY,
            courseID TEXT NOT NULL REFERENCES course (id),
            title TEXT NOT NULL,
            day TEXT NOT NULL,
            starts TEXT NOT NULL,
            ends TEXT NOT NULL,
            room TEXT NOT NULL
        ) STRICT;
        CREATE TABLE todo (
            id TEXT PRIMARY KEY,
            courseID TEXT NOT NULL REFERENCES course (id),
            title TEXT NOT NULL
        ) STRICT;
        CREATE TABLE enrolment (
            userID TEXT NOT NULL REFERENCES user (id),
            courseID TEXT NOT NULL REFERENCES course (id),
            PRIMARY KEY (userID, courseID)
        ) STRICT, WITHOUT ROWID;
        -- What a user made of a to-do; one who never touched it has no row, which reads as not done, rev 0.
        CREATE TABLE todoState (
            userID TEXT NOT NULL REFERENCES user (id),
            todoID TEXT NOT NULL REFERENCES todo (id),
            isDone INTEGER NOT NULL,
            rev INTEGER NOT NULL,
            PRIMARY KEY (userID, todoID)
        ) STRICT, WITHOUT ROWID;

        -- Times are seconds since 1970. Of tokens only SHA-256 hashes are stored.
        CREATE TABLE session (
            id INTEGER PRIMARY KEY,
            userID TEXT NOT NULL REFERENCES user (id),
            expiresAt REAL NOT NULL
        ) STRICT;
        CREATE TABLE accessToken (
            hash BLOB PRIMARY KEY,
            sessionID INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            expiresAt REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX accessTokenBySession ON accessToken (sessionID);
        CREATE TABLE refreshToken (
            hash BLOB PRIMARY KEY,
            sessionID INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
            usedAt REAL,
            successorNonce BLOB
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX refreshTokenBySession ON refreshToken (sessionID);
        """

    private static let messages = """
        -- Who can write to whom: those who teach a user's courses, and those who take them as well.
        CREATE VIEW contact AS
            SELECT enrolment.userID AS userID, 'tutor-' || tutor.id AS id, tutor.name AS name, 'tutor' AS role
            FROM enrolment JOIN course ON course.id = courseID JOIN tutor ON tutor.id = tutorID
            UNION
            SELECT mine.userID, 'student-' || user.id, user.name, 'student'
            FROM enrolment AS mine
            JOIN enrolment AS theirs ON theirs.courseID = mine.courseID AND theirs.userID <> mine.userID
            JOIN user ON user.id = theirs.userID;
        CREATE TABLE message (
            id TEXT NOT NULL UNIQUE,
            senderID TEXT NOT NULL REFERENCES user (id),
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX messageBySender ON message (senderID);
        -- With the names the recipients had: a course ends, and what was sent to its tutor stays what it was.
        CREATE TABLE messageRecipient (
            messageID TEXT NOT NULL REFERENCES message (id),
            contactID TEXT NOT NULL,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            PRIMARY KEY (messageID, contactID)
        ) STRICT, WITHOUT ROWID;
        """

    private static let catalog = """
        CREATE TABLE product (
            id TEXT PRIMARY KEY,
            title TEXT NOT NULL,
            description TEXT NOT NULL,
            priceInCents INTEGER NOT NULL
        ) STRICT;
        """

    private static let sessions = """
        -- What names a session to its user: the id is given again to a later session, this is not.
        ALTER TABLE session ADD COLUMN publicID TEXT NOT NULL DEFAULT '';
        ALTER TABLE session ADD COLUMN label TEXT;
        ALTER TABLE session ADD COLUMN begunAt REAL NOT NULL DEFAULT 0;
        ALTER TABLE session ADD COLUMN refreshedAt REAL NOT NULL DEFAULT 0;
        -- Of a session from before nobody has written down when it began: no later than now.
        UPDATE session SET publicID = lower(hex(randomblob(16))), begunAt = unixepoch(), refreshedAt = unixepoch();
        CREATE UNIQUE INDEX sessionByPublicID ON session (publicID);
        """

    private static let idempotency = """
        -- What was answered to a write that its user gave a key; the hash tells whether it is the same that comes again.
        CREATE TABLE idempotentAnswer (
            userID TEXT NOT NULL REFERENCES user (id),
            key TEXT NOT NULL,
            requestHash BLOB NOT NULL,
            answeredAt REAL NOT NULL,
            status INTEGER NOT NULL,
            entityTag TEXT,
            body BLOB NOT NULL,
            PRIMARY KEY (userID, key)
        ) STRICT;
        CREATE INDEX idempotentAnswerByTime ON idempotentAnswer (answeredAt);
        """

    private static let shop = """
        CREATE TABLE favorite (
            userID TEXT NOT NULL REFERENCES user (id),
            productID TEXT NOT NULL REFERENCES product (id),
            PRIMARY KEY (userID, productID)
        ) STRICT, WITHOUT ROWID;
        -- With the price it had: that of the product may change.
        CREATE TABLE purchase (
            id TEXT NOT NULL UNIQUE,
            userID TEXT NOT NULL REFERENCES user (id),
            productID TEXT NOT NULL REFERENCES product (id),
            priceInCents INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX purchaseByUser ON purchase (userID);
        """
}
