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
    var claimed: [OutboxRow] = []
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

/// The end of an attempt, to be written.
struct OutboxOutcome: Sendable {
    let row: OutboxRow
    let reply: OutboxReply
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

// MARK: - Sending

extension Database {
    /// Records the ends of attempts, and claims the next operations, in one transaction (D3, D6).
    func turn(_ request: OutboxTurnRequest, jitter: (Duration) -> Duration) throws -> OutboxTurn {
        var turn = OutboxTurn()
        // Without work, nothing is written, and no other sender is kept from sending.
        if request.outcomes.isEmpty, !request.isSending {
            guard request.limit > 0 else {
                turn.isHolder = false
                return turn
            }
            let (ready, wakeAt) = try ready(request)
            if ready.isEmpty, try !hasInterrupted(request.account) {
                (turn.isHolder, turn.wakeAt) = (false, wakeAt)
                return turn
            }
        }
        switch try takeLease(request) {
        case .busy(let rest):
            (turn.isHolder, turn.isBusy) = (false, true)
            turn.wakeAt = request.now + rest
            return turn
        case .taken:
            // The outcomes are of attempts under an earlier lease. Their operations are sent again.
            try restart(request.account)
            turn.hasTakenOver = true
        case .held:
            for outcome in request.outcomes { try settle(outcome, at: request.now, &turn, jitter) }
        }
        if request.limit > 0 { try claim(request, &turn) }
        return turn
    }

    /// Whether an operation of the account is sent, or will be sent without a log-in or an update.
    func hasWork(_ account: String) throws -> Bool {
        let select = try cachedStatement(
            sql: "SELECT 1 FROM operation WHERE account = ? AND isHead = 1 AND state IN ('queued', 'sending') LIMIT 1"
        )
        return try Row.fetchOne(select, arguments: [account]) != nil
    }

    /// Whether an operation of the account will be sent without a decision of the user.
    func isMoving(_ account: String) throws -> Bool {
        let select = try cachedStatement(
            sql: """
                SELECT 1 FROM operation WHERE account = ? AND isHead = 1
                AND state IN ('queued', 'sending', 'waitingForLogIn', 'waitingForUpdate') LIMIT 1
                """
        )
        return try Row.fetchOne(select, arguments: [account]) != nil
    }

    /// Whether operations are marked as being sent.
    private func hasInterrupted(_ account: String) throws -> Bool {
        let select = try cachedStatement(
            sql: "SELECT 1 FROM operation WHERE account = ? AND isHead = 1 AND state = 'sending' LIMIT 1"
        )
        return try Row.fetchOne(select, arguments: [account]) != nil
    }

    private enum Lease {
        /// This sender has held it since its last turn.
        case held
        /// It was free, or its holder has not renewed it in time.
        case taken
        /// Another sender has it, for this many milliseconds.
        case busy(rest: Int64)
    }

    /// D8: Takes or renews the lease, unless another sender has it.
    ///
    /// A sender that has lost the lease loses the outcomes of its attempts too: another sender has
    /// sent the same operations again, with the same keys.
    private func takeLease(_ request: OutboxTurnRequest) throws -> Lease {
        let (account, time) = (request.account, request.timeOfDay)
        let find = try cachedStatement(sql: "SELECT holder, expiresAt FROM lease WHERE account = ?")
        let row = try Row.fetchOne(find, arguments: [account])
        let lease = row.map { (holder: $0["holder"] as String, rest: ($0["expiresAt"] as Int64) - time) }
        let isHeld = lease?.holder == request.holder.description
        if let lease, !isHeld, lease.rest > 0, lease.rest <= OutboxTurnRequest.leaseDuration,
            OutboxHolder.mayBeAlive(lease.holder)
        {
            return .busy(rest: lease.rest)
        }
        // Renewed when half of it is over, to save writes. More than a whole lease is left only if
        // the clock was set back.
        let half = OutboxTurnRequest.leaseDuration / 2
        if let lease, isHeld, (half...OutboxTurnRequest.leaseDuration).contains(lease.rest) { return .held }
        let take = try cachedStatement(
            sql: """
                INSERT INTO lease VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET holder = excluded.holder, expiresAt = excluded.expiresAt
                """
        )
        try take.execute(
            arguments: [account, request.holder.description, time + OutboxTurnRequest.leaseDuration]
        )
        return isHeld ? .held : .taken
    }

    /// D3: The operations that a sender was sending when it ended are sent again.
    private func restart(_ account: String) throws {
        try execute(
            sql: "UPDATE operation SET state = 'queued', notBefore = 0 WHERE account = ? AND state = 'sending'",
            arguments: [account]
        )
    }

    /// Gives the lease back, so that another sender need not wait.
    func releaseLease(of account: String, holder: OutboxHolder) throws {
        try execute(
            sql: "DELETE FROM lease WHERE account = ? AND holder = ?",
            arguments: [account, holder.description]
        )
    }

    private func settle(
        _ outcome: OutboxOutcome,
        at now: Int64,
        _ turn: inout OutboxTurn,
        _ jitter: (Duration) -> Duration
    ) throws {
        // The user may have discarded or changed the operation meanwhile, or another sender sends
        // it.
        guard let row = try operation(outcome.row.id), row.entry.state == .sending else { return }
        switch row.entry.settled(by: outcome.reply, at: now, jitter: jitter) {
        case .acknowledged:
            if case .success(let reply) = outcome.reply { try setEntityTag(reply.entityTag, after: row) }
            try remove(row)
            if let (old, new) = outcome.alias { try rename(old, to: new, in: row.account) }
            turn.acknowledged.append(row.id)
        case .continues(let entry):
            if entry.state == .conflict, case .status(_, _, _, let body?) = outcome.reply {
                try execute(sql: "UPDATE operation SET theirs = ? WHERE seq = ?", arguments: [body, row.seq])
            }
            turn.changed.append(try write(entry, to: row))
        }
    }

    /// D4: Marks the first operation of each entity as being sent, if it may be sent.
    private func claim(_ request: OutboxTurnRequest, _ turn: inout OutboxTurn) throws {
        let (ready, wakeAt) = try ready(request)
        for (row, readiness) in ready { try claim(row, readiness, at: request.now, &turn) }
        turn.wakeAt = wakeAt
        turn.hasMore = ready.count == request.limit && turn.claimed.count < ready.count
    }

    /// D4: Returns the first operations of the entities that need no wait, at most as many as the
    /// limit, and otherwise when the next one may be sent.
    private func ready(
        _ request: OutboxTurnRequest
    ) throws -> (rows: [(OutboxRow, OutboxEntry.Readiness)], wakeAt: Int64?) {
        let select = try cachedStatement(
            sql: """
                SELECT * FROM operation WHERE account = ? AND isHead = 1 AND state = 'queued' ORDER BY notBefore, seq
                """
        )
        let rows = try Row.fetchCursor(select, arguments: [request.account])
        var found: [(OutboxRow, OutboxEntry.Readiness)] = []
        while let row = try rows.next() {
            let row = try OutboxRow(row)
            let readiness = row.entry.readiness(at: request.now, kinds: request.kinds, isMetered: request.isMetered)
            // The rows are ordered by this time.
            if case .later(let time) = readiness { return (found, time) }
            if readiness == .waitsForNetwork { continue }
            if try isBlocked(row) { continue }
            found.append((row, readiness))
            if found.count == request.limit { break }
        }
        return (found, nil)
    }

    /// Whether an operation that this one needs is not confirmed.
    private func isBlocked(_ row: OutboxRow) throws -> Bool {
        guard let dependencies = row.dependsOn else { return false }
        let needed = dependencies.split(separator: " ").map(String.init)
        return try missing(among: needed).count < needed.count
    }

    private func claim(
        _ row: OutboxRow,
        _ readiness: OutboxEntry.Readiness,
        at now: Int64,
        _ turn: inout OutboxTurn
    ) throws {
        var entry = row.entry
        switch readiness {
        case .later, .waitsForNetwork, .parked: return
        case .unsupported:
            entry.state = .dead
            entry.reason =
                "This version of the app cannot send operations of the kind '\(entry.kind)', \(entry.version)."
        case .expired:
            entry.state = .needsReview
            entry.reason = "The server may have forgotten the operation, so sending it again could repeat it."
        case .ready where row.frozenRequest == nil:
            entry.state = .dead
            entry.reason = "The request in the file is damaged."
        case .ready:
            turn.claimed.append(try write(entry.sent(at: now), to: row))
            return
        }
        turn.changed.append(try write(entry, to: row))
    }

    @discardableResult
    private func write(_ entry: OutboxEntry, to row: OutboxRow) throws -> OutboxRow {
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
    private func remove(_ row: OutboxRow) throws {
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

    /// D22: The next operations of the entity are made for the version that the last one has led
    /// to.
    ///
    /// If the response does not name that version, they are sent without a condition, because they
    /// would be in conflict with the user's own change.
    private func setEntityTag(_ tag: String?, after row: OutboxRow) throws {
        let update = try cachedStatement(
            sql: """
                UPDATE operation SET entityTag = ?
                WHERE account = ? AND entity = ? AND firstSentAt IS NULL AND entityTag IS NOT NULL
                """
        )
        try update.execute(arguments: [tag, row.account, row.entity])
    }

    /// A11, D6: Replaces the ID of a record in all operations that the server cannot know yet.
    private func rename(_ old: String, to new: String, in account: String) throws {
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

// MARK: - The user's decisions

extension Database {
    /// Adds an operation, unless an operation with its key is there already.
    func insert(
        _ draft: OutboxDraft,
        at now: Int64,
        within limits: Outbox.Limits,
        quota: inout OutboxQuota,
        path: String
    ) throws {
        if let age = limits.age, let oldest = try oldest(of: draft.account), now - oldest >= age.milliseconds {
            throw StorageError.outboxFull(path)
        }
        if !quota.take(draft.size) {
            quota = try readQuota(of: draft.account, within: limits)
            guard quota.take(draft.size) else {
                if try isKnown(draft, path: path) { return }
                throw StorageError.outboxFull(path)
            }
        }
        let draft = try renamed(draft)
        let insert = try cachedStatement(
            sql: """
                INSERT INTO operation (
                    id, account, entity, isHead, dependsOn, kind, version, label, record, change, base, request,
                    checksum, entityTag, state, attempts, notBefore, createdAt
                ) VALUES (
                    ?1, ?2, ?3, NOT EXISTS (SELECT 1 FROM operation WHERE account = ?2 AND entity = ?3), ?4, ?5, ?6, ?7,
                    ?8, ?9, ?10, ?11, ?12, ?13, 'queued', 0, 0, ?14
                ) ON CONFLICT (id) DO NOTHING
                """
        )
        try insert.execute(
            arguments: [
                "\(draft.id)", draft.account, draft.entity, draft.dependencies, draft.kind.name,
                draft.kind.versions.upperBound, draft.label, draft.record, draft.change, draft.base, draft.request,
                OutboxRow.checksum(of: draft.request), draft.entityTag, now,
            ]
        )
        if changesCount == 0 { _ = try isKnown(draft, path: path) }
    }

    /// Returns whether an operation with this key is there; throws if it is of another account.
    private func isKnown(_ draft: OutboxDraft, path: String) throws -> Bool {
        guard let known = try operation("\(draft.id)") else { return false }
        guard known.account == draft.account else { throw StorageError.notSaved(path, nil) }
        return true
    }

    /// A11: Replaces the ID of the record, if it was created with an ID that the server has
    /// replaced meanwhile.
    private func renamed(_ draft: OutboxDraft) throws -> OutboxDraft {
        guard let record = draft.record else { return draft }
        let old = OutboxRow.text(ofID: record)
        let select = try cachedStatement(sql: "SELECT new FROM alias WHERE account = ? AND old = ?")
        guard let new = try String.fetchOne(select, arguments: [draft.account, old]) else { return draft }
        var draft = draft
        if let request = FrozenRequest(draft.request) { draft.request = request.replacing(old, with: new).data }
        draft.entity = draft.entity.replacing(old, with: new)
        draft.record = record.replacing(old, with: new)
        draft.change = draft.change?.replacing(old, with: new)
        return draft
    }

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

    /// Returns the operations that need this one, directly or indirectly.
    func dependents(of id: String, in account: String) throws -> [OutboxRow] {
        var (found, open) = ([] as [OutboxRow], [id])
        // Operations may need each other by mistake.
        var seen: Set = [id]
        while let next = open.popLast() {
            let rows = try Row.fetchAll(
                self,
                sql: """
                    SELECT * FROM operation
                    WHERE dependsOn IS NOT NULL AND instr(dependsOn, ?) > 0 AND account = ? ORDER BY seq
                    """,
                arguments: [next, account]
            )
            let dependents = try rows.map(OutboxRow.init).filter { seen.insert($0.id).inserted }
            found += dependents
            open += dependents.map(\.id)
        }
        return found
    }

    /// D11, D21: Removes an operation and those that need it.
    func discard(_ row: OutboxRow) throws -> [OutboxRow] {
        let all = [row] + (try dependents(of: row.id, in: row.account))
        for row in all { try remove(row) }
        return all
    }

    /// Returns an operation about which the user can decide now.
    func decidable(_ id: String, of account: String, path: String) throws -> OutboxRow {
        guard let row = try operation(id), row.account == account else {
            throw StorageError.noSuchOperation(
                path,
                id,
                "is not in the outbox: the server has confirmed it, or it was discarded"
            )
        }
        guard row.entry.state != .sending else {
            throw StorageError.noSuchOperation(path, id, "is being sent, so its outcome is not known yet")
        }
        return row
    }

    /// Removes an operation that the server has carried out.
    func confirm(_ row: OutboxRow) throws { try remove(row) }

    /// D21: Has a parked operation sent again, with its key.
    ///
    /// - Parameters:
    ///   - row: The operation.
    ///   - now: The time in milliseconds.
    ///   - isUnsent: Whether the server has said that it has not carried it out.
    /// - Returns: The queued operation.
    /// - Throws: The error of the database.
    func retry(_ row: OutboxRow, at now: Int64, isUnsent: Bool) throws -> OutboxRow {
        if row.entry.state == .conflict {
            // D22: With the condition that has failed, it would only fail again.
            try execute(sql: "UPDATE operation SET entityTag = NULL, theirs = NULL WHERE seq = ?", arguments: [row.seq])
        }
        return try write(row.entry.retried(at: now, isUnsent: isUnsent), to: row)
    }

    /// D21: Replaces an operation by another one in its place, with a key of its own.
    func replace(_ row: OutboxRow, with draft: OutboxDraft) throws {
        try execute(
            sql: """
                UPDATE operation
                SET id = ?, version = ?, request = ?, checksum = ?, change = ifnull(?, change), entityTag = ?,
                    label = ifnull(?, label), state = 'queued', attempts = 0, notBefore = 0, firstSentAt = NULL,
                    status = NULL, reason = NULL, theirs = NULL
                WHERE seq = ?
                """,
            arguments: [
                "\(draft.id)", draft.kind.versions.upperBound, draft.request, OutboxRow.checksum(of: draft.request),
                draft.change, draft.entityTag, draft.label, row.seq,
            ]
        )
        try execute(
            sql: """
                UPDATE operation SET dependsOn = replace(dependsOn, ?1, ?2)
                WHERE dependsOn IS NOT NULL AND instr(dependsOn, ?1) > 0
                """,
            arguments: [row.id, "\(draft.id)"]
        )
    }

    /// D5: Has everything sent that waits for a log-in, an update or its next attempt.
    func resume(_ account: String) throws -> [OutboxRow] {
        let rows = try Row.fetchAll(
            self,
            sql: """
                SELECT * FROM operation WHERE account = ?
                AND (state IN ('waitingForLogIn', 'waitingForUpdate') OR state = 'queued' AND notBefore > 0)
                """,
            arguments: [account]
        )
        return try rows.map(OutboxRow.init).map { try write($0.entry.resumed, to: $0) }
    }

    /// D7: Removes all operations of an account, and returns them.
    func purge(_ account: String) throws -> [OutboxRow] {
        let rows = try operations(of: account, limit: .max)
        try execute(sql: "DELETE FROM operation WHERE account = ?", arguments: [account])
        try execute(sql: "DELETE FROM alias WHERE account = ?", arguments: [account])
        return rows
    }

    func status(of account: String) throws -> OutboxStatus {
        let rows = try Row.fetchAll(
            cachedStatement(sql: "SELECT state, count(*) FROM operation WHERE account = ? GROUP BY state"),
            arguments: [account]
        )
        var counts: [OutboxOperation.State: Int] = [:]
        for row in rows {
            if let state = OutboxOperation.State(rawValue: row[0]) { counts[state] = row[1] }
        }
        let oldest = counts.isEmpty ? nil : try oldest(of: account)
        return OutboxStatus(counts: counts, oldest: oldest.map(Date.init(milliseconds:)))
    }
}

extension Database {
    /// When the oldest operation of an account was made, in milliseconds.
    private func oldest(of account: String) throws -> Int64? {
        // The `+` makes SQLite read in the order of `seq` and stop at the first row.
        let select = try cachedStatement(
            sql: "SELECT createdAt FROM operation WHERE +account = ? ORDER BY seq LIMIT 1"
        )
        return try Int64.fetchOne(select, arguments: [account])
    }

    private func readQuota(of account: String, within limits: Outbox.Limits) throws -> OutboxQuota {
        let total = try Row.fetchOne(
            self,
            sql: """
                SELECT count(*), sum(length(request) + ifnull(length(change), 0) + ifnull(length(base), 0))
                FROM operation WHERE account = ?
                """,
            arguments: [account]
        )
        let (count, bytes): (Int, Int) = (total?[0] ?? 0, total?[1] ?? 0)
        return OutboxQuota(operations: min(limits.operations - count, 10_000), bytes: limits.bytes - bytes)
    }

    /// Returns which of these operations the file does not have.
    func missing(among ids: [String]) throws -> [String] {
        let select = try cachedStatement(sql: "SELECT 1 FROM operation WHERE id = ?")
        return try ids.filter { try Row.fetchOne(select, arguments: [$0]) == nil }
    }
}

// MARK: - Facts about the file

extension Database {
    func fact(_ name: String) throws -> String? {
        try String.fetchOne(self, sql: "SELECT value FROM fact WHERE name = ?", arguments: [name])
    }

    func set(_ name: String, to value: String) throws {
        try execute(sql: "INSERT OR REPLACE INTO fact VALUES (?, ?)", arguments: [name, value])
    }

    /// D16: Sends nothing of a copy without the user, because the original may have sent it.
    func reviewAll() throws {
        try execute(
            sql: """
                UPDATE operation SET state = 'needsReview',
                    reason = 'The file was restored from a copy, so the operation may have been sent already.'
                WHERE state NOT IN ('dead', 'conflict')
                """
        )
    }

    /// D14, D25: After a clock that was set back, the ages of attempts are unknown.
    func noteStart(at now: Int64) throws {
        if let last = try fact("lastSeen").flatMap(Int64.init), now + 120_000 < last {
            try execute(sql: "UPDATE operation SET notBefore = 0")
            try execute(sql: "UPDATE operation SET firstSentAt = 0 WHERE firstSentAt IS NOT NULL")
        }
        try set("lastSeen", to: "\(now)")
    }

    /// Notes the time, so that the next start notices a clock that was set back.
    func noteTime(_ now: Int64) throws {
        try set("lastSeen", to: "\(now)")
    }
}

extension OutboxRow {
    /// The text of an ID that is written as JSON, as it occurs in a path.
    static func text(ofID json: Data) -> String {
        (try? JSONDecoder().decode(String.self, from: json)) ?? String(decoding: json, as: UTF8.self)
    }

    /// Whether an ID occurs in the operation.
    fileprivate func mentions(_ id: String) -> Bool {
        let id = Data(id.utf8)
        return request.range(of: id) != nil || Data(entity.utf8).range(of: id) != nil
            || record?.range(of: id) != nil || change?.range(of: id) != nil
    }
}

extension Data {
    fileprivate func replacing(_ old: String, with new: String) -> Data {
        guard let text = String(data: self, encoding: .utf8) else { return self }
        return Data(text.replacing(old, with: new).utf8)
    }
}

extension JSONEncoder {
    /// Writes the same value as the same bytes.
    static var outbox: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
