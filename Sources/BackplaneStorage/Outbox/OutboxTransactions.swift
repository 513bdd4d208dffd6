internal import BackplaneNetworking
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
    /// Whether no earlier attempt has an unknown outcome.
    let isFirst: Bool
}

/// The end of an attempt, to be written.
struct OutboxOutcome: Sendable {
    let row: OutboxRow
    let reply: OutboxReply
    let attempt: OutboxAttempt
    /// A11: The ID in the app and the ID from the server of a record that was created.
    var alias: (old: String, new: String)?
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

// MARK: - Rows

extension Database {
    func operation(_ id: String) throws -> OutboxRow? {
        let select = try cachedStatement(sql: "SELECT * FROM operation WHERE id = ?")
        return try Row.fetchOne(select, arguments: [id]).map(OutboxRow.init)
    }

    /// Returns the operations of an account in order, oldest first.
    func operations(of account: String, limit: Int) throws -> [OutboxRow] {
        // The `+` makes SQLite read in the order of `seq` and stop at the limit.
        try Row.fetchAll(
            self,
            sql: "SELECT * FROM operation WHERE +account = ? ORDER BY seq LIMIT ?",
            arguments: [account, limit]
        ).map(OutboxRow.init)
    }

    /// Returns the changes of a kind that are still on their way, in order.
    func unfinished(of kind: String, account: String) throws -> [OutboxRow] {
        try Row.fetchAll(
            self,
            sql: """
                SELECT * FROM operation
                WHERE +account = ? AND kind = ? AND change IS NOT NULL AND state NOT IN ('dead', 'conflict')
                ORDER BY seq
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
    func write(_ entry: OutboxEntry, to row: OutboxRow) throws -> OutboxRow {
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

    /// Removes an operation, and makes the next one of its entity the first.
    func remove(_ row: OutboxRow) throws {
        let delete = try cachedStatement(sql: "DELETE FROM operation WHERE seq = ?")
        try delete.execute(arguments: [row.seq])
        let advance = try cachedStatement(
            sql: """
                UPDATE operation SET isHead = 1
                WHERE seq = (SELECT MIN(seq) FROM operation WHERE account = ? AND entity = ?)
                """
        )
        try advance.execute(arguments: [row.account, row.entity])
    }

    /// A11, D6: Replaces the ID of a record in all operations that the server cannot know yet.
    func rename(_ old: String, to new: String, in account: String) throws {
        try execute(sql: "INSERT OR REPLACE INTO alias VALUES (?, ?, ?)", arguments: [account, old, new])
        let rows = try Row.fetchAll(
            self,
            sql: """
                SELECT * FROM operation
                WHERE account = ? AND firstSentAt IS NULL AND state NOT IN ('dead', 'conflict')
                """,
            arguments: [account]
        )
        var entities: Set<String> = []
        for row in try rows.map(OutboxRow.init) where row.mentions(old) {
            guard let request = row.frozenRequest?.replacing(old, with: new) else { continue }
            let data = request.data
            let entity = row.entity.replacing(old, with: new)
            try execute(
                sql: """
                    UPDATE operation SET request = ?, checksum = ?, entity = ?, record = ?, change = ? WHERE seq = ?
                    """,
                arguments: [
                    data, OutboxRow.checksum(of: data), entity, row.record?.replacing(old, with: new),
                    row.change?.replacing(old, with: new), row.seq,
                ]
            )
            entities.formUnion([row.entity, entity])
        }
        for entity in entities { try setHead(of: entity, in: account) }
    }

    /// D4: Makes one operation of an entity the first: the one that is being sent, or else the
    /// oldest.
    private func setHead(of entity: String, in account: String) throws {
        try execute(
            sql: """
                UPDATE operation SET isHead = seq = (
                    SELECT seq FROM operation WHERE account = ?1 AND entity = ?2
                    ORDER BY state = 'sending' DESC, seq LIMIT 1
                )
                WHERE account = ?1 AND entity = ?2
                """,
            arguments: [account, entity]
        )
    }
}
