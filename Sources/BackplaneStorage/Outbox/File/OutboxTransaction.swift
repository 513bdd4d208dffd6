internal import BackplaneFeatures
internal import GRDB

/// The position of an operation in the line of its entity, as it stands in the column `isHead`.
enum OutboxPosition {
    /// Another operation is sent before.
    static let waiting = 0
    /// It is the next one to be sent.
    static let first = 1
    /// U4: It was refused, or it needs a refused one, and no other operation waits behind it.
    static let outside = 2
}

/// A transaction in the file of an outbox.
struct OutboxTransaction {
    let database: Database

    /// The number of rows that the last statement has changed.
    var changesCount: Int { database.changesCount }

    // All statements stay compiled: compiling takes longer than running them.

    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func first(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Returns the value in the first column of the first row.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        as type: Value.Type = Value.self
    ) throws -> Value? {
        try Value.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Returns the texts in the first column of all rows.
    func texts(_ sql: String, _ arguments: StatementArguments = []) throws -> [String] {
        try String.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Reads operations one by one; `condition` is what follows the name of the table.
    func cursor(_ condition: String, _ arguments: StatementArguments) throws -> RowCursor {
        let sql = "SELECT \(OutboxRow.columns) FROM operation \(condition)"
        return try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ condition: String, _ arguments: StatementArguments) throws -> [OutboxRow] {
        try Array(cursor(condition, arguments).map(OutboxRow.init))
    }
}

// MARK: - Rows

extension OutboxTransaction {
    func operation(_ id: String) throws -> OutboxRow? {
        // Read while the cursor lives: its row is a view of the statement.
        try cursor("WHERE id = ?", [id]).map(OutboxRow.init).next()
    }

    /// Returns the operations of an account in order, oldest first.
    func operations(of account: String, limit: Int) throws -> [OutboxRow] {
        // The `+` makes SQLite read in the order of `seq` and stop at the limit.
        try rows("WHERE +account = ? ORDER BY seq LIMIT ?", [account, limit])
    }

    /// Returns the operations of a kind about which code of the app may decide, oldest first.
    func parked(of account: String, kind: String) throws -> [String] {
        try texts(
            """
            SELECT id FROM operation
            WHERE account = ? AND kind = ? AND state IN ('needsReview', 'conflict') ORDER BY seq
            """,
            [account, kind]
        )
    }

    /// Returns the changes of a kind that the server has not confirmed, in order.
    func unfinished(of kind: String, account: String) throws -> [OutboxRow] {
        try rows("WHERE +account = ? AND kind = ? AND change IS NOT NULL ORDER BY seq", [account, kind])
    }

    /// Returns which of these operations the file does not have.
    func missing(among ids: [String]) throws -> [String] {
        try ids.filter { try first("SELECT 1 FROM operation WHERE id = ?", [$0]) == nil }
    }

    @discardableResult
    func write(_ entry: ChangeEntry, to row: OutboxRow) throws -> OutboxRow {
        try run(
            """
            UPDATE operation
            SET state = ?, attempts = ?, notBefore = ?, firstSentAt = ?, status = ?, reason = ? WHERE seq = ?
            """,
            [
                entry.state.rawValue, entry.attempts, entry.notBefore, entry.firstSentAt, entry.status, entry.reason,
                row.seq,
            ]
        )
        var row = row
        row.entry = entry
        return row
    }

    /// Removes an operation, and makes the next one of its entity the first if it was the first.
    ///
    /// - Parameters:
    ///   - row: The operation.
    ///   - position: The position that the file has.
    /// - Throws: The error of the database.
    func remove(_ row: OutboxRow, from position: Int) throws {
        try run("DELETE FROM operation WHERE seq = ?", [row.seq])
        // D33: Otherwise another one is the first, and may be under way.
        if position == OutboxPosition.first { try advance(behind: row) }
        try unblock(behind: row.id)
    }

    /// D32: Has the operations looked at again that wait for this one.
    func unblock(behind id: String) throws {
        try run("UPDATE operation SET blockedBy = NULL WHERE blockedBy = ?", [id])
    }

    /// U4: Takes the first operation of an entity out of the line, and makes the next one the
    /// first.
    func leaveLine(_ row: OutboxRow) throws {
        try run("UPDATE operation SET isHead = ? WHERE seq = ?", [OutboxPosition.outside, row.seq])
        try advance(behind: row)
        // The operations that need it leave the line, too, whatever else they wait for.
        try run(
            "UPDATE operation SET blockedBy = NULL WHERE blockedBy IS NOT NULL AND instr(dependsOn, ?) > 0",
            [row.id]
        )
    }

    /// U4: Puts an operation back at its position, if it has left the line, and so those that need
    /// it.
    func rejoinLine(_ row: OutboxRow) throws {
        let dependents = try dependents(of: row.id, in: row.account).filter { $0.entry.state == .queued }
        for row in [row] + dependents {
            try run(
                "UPDATE operation SET isHead = ? WHERE seq = ? AND isHead = ?",
                [OutboxPosition.waiting, row.seq, OutboxPosition.outside]
            )
            if changesCount > 0 { try setHead(of: row.entity, in: row.account) }
        }
    }

    /// D4: Makes one operation of an entity the first: the one that is being sent, or else the
    /// oldest.
    func setHead(of entity: String, in account: String) throws {
        try run(
            """
            UPDATE operation SET isHead = seq = (
                SELECT seq FROM operation WHERE account = ?1 AND entity = ?2 AND isHead < 2
                ORDER BY state = 'sending' DESC, seq LIMIT 1
            )
            WHERE account = ?1 AND entity = ?2 AND isHead < 2
            """,
            [account, entity]
        )
    }

    private func advance(behind row: OutboxRow) throws {
        try run(
            """
            UPDATE operation SET isHead = 1
            WHERE seq = (SELECT MIN(seq) FROM operation WHERE account = ? AND entity = ? AND isHead < 2)
            """,
            [row.account, row.entity]
        )
    }
}

// MARK: - Confirmed operations

extension OutboxTransaction {
    /// The number of confirmed operations that are remembered.
    private static let receipts: Int64 = 10_000

    /// D30: Remembers the key of a confirmed operation, so that it differs from a discarded one.
    func noteConfirmation(of id: String) throws {
        try run("INSERT OR IGNORE INTO receipt (id) VALUES (?)", [id])
        let last = database.lastInsertedRowID
        guard last % 100 == 0 else { return }
        try run("DELETE FROM receipt WHERE seq <= ?", [last - Self.receipts])
    }

    /// Whether the server has confirmed an operation that the file no longer has.
    func isConfirmed(_ id: String) throws -> Bool {
        try first("SELECT 1 FROM receipt WHERE id = ?", [id]) != nil
    }

    /// A number that differs after each transaction of another connection.
    func dataVersion() throws -> Int? { try value("PRAGMA data_version") }

    /// Returns the operations that have ended, among these.
    func ends(of ids: [String]) throws -> [(id: String, end: OutboxEnd)] {
        try ids.compactMap { id in
            guard let state: String = try value("SELECT state FROM operation WHERE id = ?", [id]) else {
                return (id, try isConfirmed(id) ? .confirmed : .discarded)
            }
            guard ["refused", "conflict"].contains(state), let parked = try operation(id)?.operation else { return nil }
            return (id, .parked(parked))
        }
    }
}

/// How an operation ended, perhaps in another process.
enum OutboxEnd: Sendable {
    case confirmed
    case discarded
    /// Only the user can decide how it continues.
    case parked(OutboxOperation)
}
