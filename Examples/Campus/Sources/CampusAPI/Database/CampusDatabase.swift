import Foundation
import GRDB
import SystemPackage

/// The database file, migrated to the current schema, and seeded if it is new.
///
/// A pool keeps the file in WAL mode, so readers never wait for the writer. Only the owner of the
/// file may use it (0600), and only one server at a time does.
struct CampusDatabase: Sendable {
    let pool: DatabasePool
    private let path: String
    private let lock: DatabaseLock

    /// Opens the file at `path`, or creates it.
    ///
    /// - Throws: ``CampusAPIError`` if the file cannot be opened or migrated, or if another server
    ///   uses it.
    init(path: String, passwordCost: PasswordCost) throws {
        do {
            let lock = try DatabaseLock(path: path)
            do {
                try Self.secure(path)
                pool = try Self.open(path, passwordCost: passwordCost)
            } catch {
                lock.release()
                throw error
            }
            self.lock = lock
            self.path = path
        } catch let error as CampusAPIError {
            throw error
        } catch {
            throw CampusAPIError(
                .databaseUnavailable,
                """
                The database '\(path)' cannot be used: \(error). \
                Its directory must exist and be writable, and Campus must have created the file.
                """,
                cause: error
            )
        }
    }

    /// Checks that the file can be read and written, without a lasting change.
    ///
    /// - Throws: an error if it cannot, for example because the disk is full.
    func check() async throws {
        // SQLite goes on with a deleted file, which ends with the process.
        guard FileManager.default.fileExists(atPath: path) else { throw CocoaError(.fileNoSuchFile) }
        // Without a table, SQLite would not read the file.
        _ = try await pool.read { try Int.fetchOne($0, sql: "SELECT 1 FROM user LIMIT 1") }
        // As much as a large request; removed in a change of its own, because SQLite does not write
        // what one change adds and removes.
        try await pool.write { try $0.execute(sql: "INSERT INTO writeCheck VALUES (zeroblob(16384))") }
        try await pool.write { try $0.execute(sql: "DELETE FROM writeCheck") }
    }

    /// Closes the file, so that another server can use it, and a copy of it alone is complete.
    func close() {
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? pool.close()
        lock.release()
    }

    /// Creates the file if needed, and makes sure that only its owner may use it.
    ///
    /// The file gets its permissions when it is created, not later. Otherwise another process could
    /// open it in between and keep it open. Links are not followed. SQLite gives the same
    /// permissions to the files that it adds; an earlier server may have left some with others.
    private static func secure(_ path: String) throws {
        let file = try FileDescriptor.open(
            FilePath(path),
            .readWrite,
            options: [.create, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite
        )
        try file.close()
        for path in [path, "\(path)-wal", "\(path)-shm"] where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }

    private static func open(_ path: String, passwordCost: PasswordCost) throws -> DatabasePool {
        var configuration = Configuration()
        // Other programs, such as a backup, may use the file for a moment.
        configuration.busyMode = .timeout(5)
        let pool = try DatabasePool(path: path, configuration: configuration)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("schema") { try $0.execute(sql: Self.schema) }
        // A migration runs once for each file, completely or not at all. A seed needs exactly that.
        migrator.registerMigration("seed") { try Seed.campus.insert(into: $0, passwordCost: passwordCost) }
        migrator.registerMigration("messages") { try $0.execute(sql: Self.messages) }
        migrator.registerMigration("catalog") { db in
            try db.execute(sql: Self.catalog)
            for product in Seed.products { try Seed.insert(product, into: db) }
        }
        migrator.registerMigration("sessions") { try $0.execute(sql: Self.sessions) }
        migrator.registerMigration("idempotency") { try $0.execute(sql: Self.idempotency) }
        migrator.registerMigration("shop") { try $0.execute(sql: Self.shop) }
        migrator.registerMigration("loginNetworks") { try $0.execute(sql: Self.loginNetworks) }
        migrator.registerMigration("writeCheck") { try $0.execute(sql: Self.writeCheck) }
        try migrator.migrate(pool)
        return pool
    }

    private static let schema = """
        CREATE TABLE user (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            email TEXT NOT NULL UNIQUE,  -- normalized (EmailAddress)
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
        -- A user's state of a to-do. Without a row, it is not done and has revision 0.
        CREATE TABLE todoState (
            userID TEXT NOT NULL REFERENCES user (id),
            todoID TEXT NOT NULL REFERENCES todo (id),
            isDone INTEGER NOT NULL,
            rev INTEGER NOT NULL,
            PRIMARY KEY (userID, todoID)
        ) STRICT, WITHOUT ROWID;

        -- Times are seconds since 1970. Only the SHA-256 hashes of tokens are stored.
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
        -- The contacts of a user: tutors of the user's courses, and other students in them.
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
        -- The recipients with their names at that time: a sent message stays the same after its course ends.
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
        -- The public ID of a session. Unlike the id, it is never used again for a later session.
        ALTER TABLE session ADD COLUMN publicID TEXT NOT NULL DEFAULT '';
        ALTER TABLE session ADD COLUMN label TEXT;
        ALTER TABLE session ADD COLUMN begunAt REAL NOT NULL DEFAULT 0;
        ALTER TABLE session ADD COLUMN refreshedAt REAL NOT NULL DEFAULT 0;
        -- The start of an older session is unknown, but it is not later than now.
        UPDATE session SET publicID = lower(hex(randomblob(16))), begunAt = unixepoch(), refreshedAt = unixepoch();
        CREATE UNIQUE INDEX sessionByPublicID ON session (publicID);
        """

    private static let idempotency = """
        -- The responses to writes with a key. The hash tells whether a later request is the same one.
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
        -- The price is stored, because the price of the product may change.
        CREATE TABLE purchase (
            id TEXT NOT NULL UNIQUE,
            userID TEXT NOT NULL REFERENCES user (id),
            productID TEXT NOT NULL REFERENCES product (id),
            priceInCents INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX purchaseByUser ON purchase (userID);
        """

    private static let writeCheck = """
        -- Empty, except while a health check writes.
        CREATE TABLE writeCheck (content BLOB NOT NULL) STRICT;
        """

    private static let loginNetworks = """
        -- The networks from which users have signed in.
        CREATE TABLE loginNetwork (
            userID TEXT NOT NULL REFERENCES user (id),
            network TEXT NOT NULL,
            usedAt REAL NOT NULL,
            PRIMARY KEY (userID, network)
        ) STRICT, WITHOUT ROWID;
        """
}

extension DatabasePool {
    /// Reads on the calling thread.
    ///
    /// A query of this API takes microseconds, and no reader waits for a writer. To pass it to
    /// another thread takes longer.
    func readHere<Value>(_ read: (Database) throws -> Value) throws -> Value { try self.read(read) }
}
