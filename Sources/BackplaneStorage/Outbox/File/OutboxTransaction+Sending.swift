internal import BackplaneFeatures
internal import BackplaneNetworking
internal import GRDB

extension OutboxTransaction {
    /// Records the ends of attempts, and claims the next operations, in one transaction (D3, D6).
    ///
    /// - Parameters:
    ///   - request: The sender and its facts.
    ///   - held: Operations that must not be claimed yet.
    ///   - jitter: Returns a random part of a wait.
    /// - Returns: The result.
    /// - Throws: The error of the database.
    func turn(
        _ request: OutboxTurnRequest,
        except held: [String] = [],
        jitter: (Duration) -> Duration
    ) throws -> OutboxTurn {
        var turn = OutboxTurn()
        // Without work, nothing is written, and no other sender is kept from sending.
        if request.outcomes.isEmpty, !request.isSending {
            guard request.limit > 0 else {
                turn.isHolder = false
                return turn
            }
            let (ready, _, wakeAt) = try ready(request, except: held)
            if ready.isEmpty, try !isAny(of: request.account, in: .sending) {
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
            for outcome in request.outcomes { try settle(outcome, of: request, &turn, jitter) }
        }
        if request.limit > 0 { try claim(request, except: held, &turn) }
        return turn
    }

    /// Whether the next operation of an entity is in one of these states.
    func isAny(of account: String, in states: DeliveryState...) throws -> Bool {
        let sql = "SELECT 1 FROM operation WHERE account = ? AND isHead = 1 AND blockedBy IS NULL AND state = ? LIMIT 1"
        return try states.contains { try first(sql, [account, $0.rawValue]) != nil }
    }

    /// Whether an operation is queued that needs no other one.
    ///
    /// If not, all queued operations need one that waits for a decision, at least indirectly.
    func isAnyFree(of account: String) throws -> Bool {
        try cursor("WHERE account = ? AND isHead = 1 AND blockedBy IS NULL AND state = 'queued'", [account])
            .contains { try blocker(of: OutboxRow($0).dependsOn) == nil }
    }

    /// Whether an operation of the account will be sent without a decision of the user.
    func isMoving(_ account: String) throws -> Bool {
        try isAny(of: account, in: .sending, .waitingForSignIn, .waitingForUpdate) || isAnyFree(of: account)
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
        let row = try first("SELECT holder, expiresAt FROM lease WHERE account = ?", [account])
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
        try run(
            """
            INSERT INTO lease VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET holder = excluded.holder, expiresAt = excluded.expiresAt
            """,
            [account, request.holder.description, time + OutboxTurnRequest.leaseDuration]
        )
        return isHeld ? .held : .taken
    }

    /// D3: The operations that a sender was sending when it ended are sent again.
    private func restart(_ account: String) throws {
        let rows = try rows("WHERE account = ? AND isHead = 1 AND blockedBy IS NULL AND state = 'sending'", [account])
        for row in rows { try write(row.entry.restarted, to: row) }
    }

    /// Gives the lease back, so that another sender need not wait.
    func releaseLease(of account: String, holder: OutboxHolder) throws {
        try run("DELETE FROM lease WHERE account = ? AND holder = ?", [account, holder.description])
    }

    private func settle(
        _ outcome: OutboxOutcome,
        of request: OutboxTurnRequest,
        _ turn: inout OutboxTurn,
        _ jitter: (Duration) -> Duration
    ) throws {
        // The user may have discarded or changed the operation meanwhile, or another sender sends
        // it.
        guard let row = try operation(outcome.row.id), row.entry.state == .sending else { return }
        // D8: A refusal of an attempt from before a lost lease says nothing about later ones.
        if case .success = outcome.reply {} else if outcome.row.entry.attempts != row.entry.attempts { return }
        switch row.entry.settled(by: outcome.reply, to: outcome.attempt, at: request.now, jitter: jitter) {
        case .acknowledged:
            try confirm(row, leadingTo: outcome.response?.entityTag)
            if let (old, new) = outcome.alias { try rename(old, to: new, in: row.account) }
            turn.acknowledged.append(row.id)
        case .continues(let entry):
            if entry.state == .conflict, let theirs = outcome.theirs {
                try run("UPDATE operation SET theirs = ? WHERE seq = ?", [theirs, row.seq])
            }
            try change(row, to: entry, of: request, &turn)
        }
    }

    /// D4: Marks the first operation of each entity as being sent, if it may be sent.
    private func claim(_ request: OutboxTurnRequest, except held: [String], _ turn: inout OutboxTurn) throws {
        let (ready, blocked, wakeAt) = try ready(request, except: held)
        for (row, readiness) in ready { try claim(row, readiness, of: request, &turn) }
        // D32: They are not looked at again before the end of those for which they wait.
        for (seq, blocker) in blocked {
            try run("UPDATE operation SET blockedBy = ? WHERE seq = ?", [blocker, seq])
        }
        turn.wakeAt = wakeAt
        // Behind an operation that cannot be sent, there may be others.
        turn.hasMore = turn.claimed.count < ready.count
    }

    /// D4: Returns the first operations of the entities that need no wait, at most as many as the
    /// limit, those before them that wait for others, and otherwise when the next one may be sent.
    private func ready(
        _ request: OutboxTurnRequest,
        except held: [String]
    ) throws -> (
        rows: [(OutboxRow, ChangeEntry.Readiness)], blocked: [(seq: Int64, blocker: String)], wakeAt: Int64?
    ) {
        let rows = try cursor(
            """
            WHERE account = ? AND isHead = 1 AND blockedBy IS NULL AND state = 'queued'
            ORDER BY notBefore, seq
            """,
            [request.account]
        )
        var found: [(OutboxRow, ChangeEntry.Readiness)] = []
        var blocked: [(seq: Int64, blocker: String)] = []
        while let row = try rows.next() {
            let row = OutboxRow(row)
            if held.contains(row.id) { continue }
            let rules = request.kinds[row.kind]?.rules(for: row.version, isMetered: request.isMetered)
            let readiness = row.entry.readiness(at: request.now, by: rules)
            // The rows are ordered by this time.
            if case .later(let time) = readiness { return (found, blocked, time) }
            if readiness == .waitsForNetwork { continue }
            if let blocker = try blocker(of: row.dependsOn) {
                if try needsRefused(row.dependsOn) {
                    found.append((row, .needsRefused))
                } else {
                    blocked.append((row.seq, blocker))
                }
            } else {
                found.append((row, readiness))
            }
            if found.count == request.limit { break }
        }
        return (found, blocked, nil)
    }

    /// U4: Whether one of these operations, with spaces between their keys, has left the line.
    func needsRefused(_ dependencies: String?) throws -> Bool {
        try (dependencies ?? "").split(separator: " ").map(OutboxDraft.dependency).contains { id, isNeeded in
            try isNeeded && value("SELECT isHead FROM operation WHERE id = ?", [id]) == OutboxPosition.outside
        }
    }

    /// Returns one of these operations for which an operation must wait.
    ///
    /// An operation that is missing is confirmed: see `checkDependencies(of:path:)`. Discarding one
    /// removes the operations that need it, too.
    func blocker(of dependencies: String?) throws -> String? {
        guard let dependencies else { return nil }
        return try dependencies.split(separator: " ").map(OutboxDraft.dependency).first { id, isNeeded in
            guard let row = try first("SELECT state FROM operation WHERE id = ?", [id]) else { return false }
            // D32: A refused operation holds up those that need it, not those that follow it.
            return isNeeded || !["refused", "conflict"].contains(row["state"] as String)
        }?.id
    }

    private func claim(
        _ row: OutboxRow,
        _ readiness: ChangeEntry.Readiness,
        of request: OutboxTurnRequest,
        _ turn: inout OutboxTurn
    ) throws {
        var entry = row.entry
        switch readiness {
        case .later, .waitsForNetwork, .parked: return
        case .needsRefused: return try leaveLine(row)
        case .unsupported:
            (entry.state, entry.status) = (.refused, nil)
            entry.reason =
                "This version of the app cannot send operations of the kind '\(row.kind)', \(row.version)."
        case .expired:
            (entry.state, entry.status) = (.needsReview, nil)
            entry.reason = "The server may have forgotten the operation, so sending it again could repeat it."
        case .ready:
            if let frozen = row.frozenRequest {
                let (isFirst, row) = (entry.firstSentAt == nil, try write(entry.sent(at: request.now), to: row))
                turn.claimed.append(OutboxClaim(row: row, request: frozen, isFirst: isFirst))
                return
            }
            entry.state = .refused
            entry.reason = "The request in the file is damaged."
        }
        try change(row, to: entry, of: request, &turn)
    }

    private func change(
        _ row: OutboxRow,
        to entry: ChangeEntry,
        of request: OutboxTurnRequest,
        _ turn: inout OutboxTurn
    ) throws {
        let row = try write(entry, to: row)
        turn.changed.append(row)
        if entry.state.hasFailed { try unblock(behind: row.id) }
        if row.leavesLine(kinds: request.kinds) { try leaveLine(row) }
    }

    /// Removes an operation that the server has carried out.
    ///
    /// - Parameters:
    ///   - row: The operation.
    ///   - tag: The version that it has led to, if the server has named it.
    /// - Throws: The error of the database.
    func confirm(_ row: OutboxRow, leadingTo tag: String?) throws {
        try setEntityTag(tag, after: row)
        try remove(row, from: row.position)
        try noteConfirmation(of: row.id)
    }

    /// D22, D28: The next operations of the record are made for the version that the last one has
    /// led to.
    ///
    /// If the server does not name that version, they are sent without a condition, because they
    /// would be in conflict with the user's own change. An operation without a record may have
    /// changed each record of its entity.
    private func setEntityTag(_ tag: String?, after row: OutboxRow) throws {
        let known = row.record == nil ? nil : tag
        try run(
            """
            UPDATE operation SET entityTag = ?1
            WHERE account = ?2 AND entity = ?3 AND firstSentAt IS NULL AND entityTag IS NOT NULL
                AND (?4 IS NULL OR record = ?4 AND kind = ?5)
            """,
            [known, row.account, row.entity, row.record, row.kind]
        )
    }
}
