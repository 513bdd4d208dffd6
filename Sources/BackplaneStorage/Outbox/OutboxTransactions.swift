internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation
internal import GRDB

/// The result of one turn of a sender.
struct OutboxTurn: Sendable {
    /// Whether this sender has the lease; without work, it does not take it.
    var isHolder = true
    /// Whether another sender has the lease.
    var isBusy = false
    /// The operations that are marked as being sent.
    var claimed: [OutboxClaim] = []
    /// The operations that the server has confirmed.
    var acknowledged: [String] = []
    /// The operations that continue in another state.
    var changed: [OutboxRow] = []
    /// Whether another sender may have sent operations since the last turn.
    var hasTakenOver = false
    /// Whether more operations than the limit may be sent, and some of the found ones were not.
    var hasMore = false
    /// When the next operation may be sent, in milliseconds.
    var wakeAt: Int64?
}

/// An operation that is marked as being sent.
struct OutboxClaim: Sendable {
    let row: OutboxRow
    let request: FrozenRequest
    /// Whether no earlier attempt has an unknown outcome.
    let isFirst: Bool
}

/// The end of an attempt, to be written.
struct OutboxOutcome: Sendable {
    let row: OutboxRow
    let reply: ChangeReply
    let attempt: ChangeAttempt
    /// The response of an attempt that was successful.
    var response: ServerReply?
    /// The server's version of the record, if it has refused the operation because of it.
    var theirs: Data?
    /// How often the user had logged in again when the attempt began.
    let resumptions: Int
    /// A11: The ID in the app and the ID from the server of a record that was created.
    var alias: (old: String, new: String)?

    /// Returns the outcome after a log-in: an attempt that was refused before it only has to be
    /// repeated.
    func resumed(before resumptions: Int) -> OutboxOutcome {
        guard reply.needsLogIn, self.resumptions != resumptions else { return self }
        return OutboxOutcome(row: row, reply: .stopped, attempt: attempt, resumptions: resumptions)
    }
}

/// The input of a turn.
struct OutboxTurnRequest: Sendable {
    /// How long a sender that stops without a word keeps others from sending, in milliseconds (D8).
    static let leaseDuration: Int64 = 15_000

    let account: String
    /// The sender.
    let holder: OutboxHolder
    var outcomes: [OutboxOutcome] = []
    /// Whether other attempts of the sender are under way.
    var isSending = false
    /// How many operations may be claimed.
    var limit = 0
    var kinds: [String: OutboxKind] = [:]
    var isMetered = false
    /// The time for waits and ages, in milliseconds.
    let now: Int64
    /// The time of day for the lease, which all processes share, in milliseconds.
    let timeOfDay: Int64
}

/// The place of an operation in the line of its entity, as it stands in the column `isHead`.
enum OutboxPlace {
    /// Another operation is sent before.
    static let waiting = 0
    /// It is the next one to be sent.
    static let first = 1
    /// U4: It was refused, or it needs a refused one, and no other operation waits behind it.
    static let outside = 2
}

// MARK: - Rows

extension Database {
    func operation(_ id: String) throws -> OutboxRow? {
        let select = try cachedStatement(sql: "SELECT \(OutboxRow.columns) FROM operation WHERE id = ?")
        return try Row.fetchCursor(select, arguments: [id]).map(OutboxRow.init).next()
    }

    /// Returns the operations of an account in order, oldest first.
    func operations(of account: String, limit: Int) throws -> [OutboxRow] {
        // The `+` makes SQLite read in the order of `seq` and stop at the limit.
        try Row.fetchAll(
            self,
            sql: "SELECT \(OutboxRow.columns) FROM operation WHERE +account = ? ORDER BY seq LIMIT ?",
            arguments: [account, limit]
        ).map(OutboxRow.init)
    }

    /// Returns the operations about which code of the app may decide, oldest first.
    func parked(of account: String) throws -> [String] {
        try String.fetchAll(
            self,
            sql: "SELECT id FROM operation WHERE account = ? AND state IN ('needsReview', 'conflict') ORDER BY seq",
            arguments: [account]
        )
    }

    /// Returns the changes of a kind that the server has not confirmed, in order.
    func unfinished(of kind: String, account: String) throws -> [OutboxRow] {
        try Row.fetchAll(
            self,
            sql: """
                SELECT \(OutboxRow.columns) FROM operation
                WHERE +account = ? AND kind = ? AND change IS NOT NULL ORDER BY seq
                """,
            arguments: [account, kind]
        ).map(OutboxRow.init)
    }

    /// Returns which of these operations the file does not have.
    func missing(among ids: [String]) throws -> [String] {
        let select = try cachedStatement(sql: "SELECT 1 FROM operation WHERE id = ?")
        return try ids.filter { try Row.fetchOne(select, arguments: [$0]) == nil }
    }

    @discardableResult
    func write(_ entry: ChangeEntry, to row: OutboxRow) throws -> OutboxRow {
        let update = try cachedStatement(
            sql: """
                UPDATE operation
                SET state = ?, attempts = ?, notBefore = ?, firstSentAt = ?, status = ?, reason = ? WHERE seq = ?
                """
        )
        try update.execute(
            arguments: [
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
    ///   - place: Its place as it stands in the file.
    /// - Throws: The error of the database.
    func remove(_ row: OutboxRow, from place: Int) throws {
        let delete = try cachedStatement(sql: "DELETE FROM operation WHERE seq = ?")
        try delete.execute(arguments: [row.seq])
        // D33: Otherwise another one is the first, and may be under way.
        if place == OutboxPlace.first { try advance(behind: row) }
        try unblock(behind: row.id)
    }

    /// D32: Has the operations looked at again that wait for this one.
    func unblock(behind id: String) throws {
        let unblock = try cachedStatement(sql: "UPDATE operation SET blockedBy = NULL WHERE blockedBy = ?")
        try unblock.execute(arguments: [id])
    }

    /// U4: Takes the first operation of an entity out of the line, and makes the next one the
    /// first.
    func leaveLine(_ row: OutboxRow) throws {
        try execute(
            sql: "UPDATE operation SET isHead = ? WHERE seq = ?",
            arguments: [OutboxPlace.outside, row.seq]
        )
        try advance(behind: row)
        // The operations that need it leave the line, too, whatever else they wait for.
        try execute(
            sql: "UPDATE operation SET blockedBy = NULL WHERE blockedBy IS NOT NULL AND instr(dependsOn, ?) > 0",
            arguments: [row.id]
        )
    }

    /// U4: Puts an operation back into its place, if it has left the line, and so those that need
    /// it.
    func rejoinLine(_ row: OutboxRow) throws {
        let dependents = try dependents(of: row.id, in: row.account).filter { $0.entry.state == .queued }
        for row in [row] + dependents {
            try execute(
                sql: "UPDATE operation SET isHead = ? WHERE seq = ? AND isHead = ?",
                arguments: [OutboxPlace.waiting, row.seq, OutboxPlace.outside]
            )
            if changesCount > 0 { try setHead(of: row.entity, in: row.account) }
        }
    }

    /// D4: Makes one operation of an entity the first: the one that is being sent, or else the
    /// oldest.
    func setHead(of entity: String, in account: String) throws {
        try execute(
            sql: """
                UPDATE operation SET isHead = seq = (
                    SELECT seq FROM operation WHERE account = ?1 AND entity = ?2 AND isHead < 2
                    ORDER BY state = 'sending' DESC, seq LIMIT 1
                )
                WHERE account = ?1 AND entity = ?2 AND isHead < 2
                """,
            arguments: [account, entity]
        )
    }

    private func advance(behind row: OutboxRow) throws {
        let advance = try cachedStatement(
            sql: """
                UPDATE operation SET isHead = 1
                WHERE seq = (SELECT MIN(seq) FROM operation WHERE account = ? AND entity = ? AND isHead < 2)
                """
        )
        try advance.execute(arguments: [row.account, row.entity])
    }
}

// MARK: - Confirmed operations

extension Database {
    /// The number of confirmed operations that are remembered.
    private static let receipts: Int64 = 10_000

    /// D30: Remembers the key of a confirmed operation, so that it differs from a discarded one.
    func noteConfirmation(of id: String) throws {
        let insert = try cachedStatement(sql: "INSERT OR IGNORE INTO receipt (id) VALUES (?)")
        try insert.execute(arguments: [id])
        let last = lastInsertedRowID
        guard last % 100 == 0 else { return }
        try execute(sql: "DELETE FROM receipt WHERE seq <= ?", arguments: [last - Self.receipts])
    }

    /// Whether the server has confirmed an operation that the file no longer has.
    func isConfirmed(_ id: String) throws -> Bool {
        let find = try cachedStatement(sql: "SELECT 1 FROM receipt WHERE id = ?")
        return try Row.fetchOne(find, arguments: [id]) != nil
    }

    /// A number that differs after each transaction of another connection.
    func dataVersion() throws -> Int? { try Int.fetchOne(cachedStatement(sql: "PRAGMA data_version")) }

    /// Returns the operations that have ended, among these.
    func ends(of ids: [String]) throws -> [(id: String, end: OutboxEnd)] {
        let find = try cachedStatement(sql: "SELECT state FROM operation WHERE id = ?")
        return try ids.compactMap { id in
            guard let state = try String.fetchOne(find, arguments: [id]) else {
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
