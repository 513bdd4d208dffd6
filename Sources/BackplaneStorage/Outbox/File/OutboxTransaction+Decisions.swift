internal import BackplaneFeatures
internal import BackplaneNetworking
internal import Foundation
internal import GRDB

extension OutboxTransaction {
    /// Adds an operation, unless an operation with its key is there already.
    func insert(
        _ draft: OutboxDraft,
        at now: Int64,
        within limits: Outbox.Limits,
        quota: inout OutboxQuota,
        following unsaved: [IdempotencyKey: IdempotencyKey],
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
        var draft = try renamed(draft)
        try checkDependencies(of: draft, path: path)
        if let follows = draft.follows { draft.follows = try unsettled(follows, unsaved) }
        let dependencies = draft.dependencies
        // U4: One that needs a refused operation leaves the line when its turn comes.
        let blocker = try needsRefused(dependencies) ? nil : blocker(of: dependencies)
        if try !add(draft, at: now, dependencies, blocker, isRenamed: true), try !isKnown(draft, path: path) {
            throw StorageError.notSaved(path, nil)
        }
    }

    /// Adds an operation that waits for no other one, by one statement, and returns whether that
    /// was enough.
    func insert(_ draft: OutboxDraft, at now: Int64, quota: inout OutboxQuota) throws -> Bool {
        try quota.allows(draft.size) && add(draft, at: now, nil, nil, isRenamed: false) && quota.take(draft.size)
    }

    /// Adds an operation, unless its key is there already, or the server has replaced IDs and they
    /// are not replaced in the operation; returns whether it has.
    private func add(
        _ draft: OutboxDraft,
        at now: Int64,
        _ dependencies: String?,
        _ blocker: String?,
        isRenamed: Bool
    ) throws -> Bool {
        // Without an ID, no row is added.
        try run(
            """
            INSERT OR IGNORE INTO operation (
                id, account, entity, isHead, dependsOn, kind, version, label, record, change, base, request,
                checksum, entityTag, state, attempts, notBefore, createdAt, blockedBy
            ) VALUES (
                CASE WHEN ?16 OR NOT EXISTS (SELECT 1 FROM alias WHERE account = ?2) THEN ?1 END,
                ?2, ?3, NOT EXISTS (SELECT 1 FROM operation WHERE account = ?2 AND entity = ?3 AND isHead < 2),
                ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 'queued', 0, 0, ?14, ?15
            )
            """,
            [
                "\(draft.id)", draft.account, draft.entity, dependencies, draft.kind.name,
                draft.kind.versions.upperBound, draft.label, draft.record, draft.change, draft.base, draft.request,
                OutboxRow.checksum(of: draft.request), draft.entityTag, now, blocker, isRenamed,
            ]
        )
        return changesCount > 0
    }

    /// Returns whether an operation with this key is there; throws if it is of another account.
    private func isKnown(_ draft: OutboxDraft, path: String) throws -> Bool {
        guard let known = try operation("\(draft.id)") else { return false }
        guard known.account == draft.account else { throw StorageError.notSaved(path, nil) }
        return true
    }

    /// D32: Returns an operation that a new one follows, or the predecessor of one that could not
    /// be saved; `nil` if it is settled.
    private func unsettled(
        _ key: IdempotencyKey,
        _ unsaved: [IdempotencyKey: IdempotencyKey]
    ) throws -> IdempotencyKey? {
        var next: IdempotencyKey? = key
        while let key = next, try missing(among: ["\(key)"]) != [] { next = unsaved[key] }
        return next
    }

    /// D30: Throws if an operation that the new one needs is neither in the file nor confirmed.
    private func checkDependencies(of draft: OutboxDraft, path: String) throws {
        for id in draft.dependsOn.map({ "\($0)" }) {
            if let account: String = try value("SELECT account FROM operation WHERE id = ?", [id]) {
                if account == draft.account { continue }
            } else if try isConfirmed(id) {
                continue
            }
            throw StorageError.noSuchOperation(
                path,
                id,
                "was never saved or was discarded, so an operation that needs it was not saved either"
            )
        }
    }

    /// Returns the operations that need this one, directly or indirectly.
    func dependents(of id: String, in account: String) throws -> [OutboxRow] {
        var (found, open) = ([] as [OutboxRow], [id])
        // Operations may need each other by mistake.
        var seen: Set = [id]
        while let next = open.popLast() {
            let rows = try rows(
                """
                WHERE dependsOn IS NOT NULL AND instr(' ' || dependsOn || ' ', ' ' || ? || ' ') > 0
                            AND account = ? ORDER BY seq
                """,
                [next, account]
            )
            let dependents = rows.filter { seen.insert($0.id).inserted }
            found += dependents
            open += dependents.map(\.id)
        }
        return found
    }

    /// D11, D21: Removes an operation and those that need it.
    func discard(_ row: OutboxRow) throws -> [OutboxRow] {
        let all = [row] + (try dependents(of: row.id, in: row.account))
        for row in all {
            let position = try value("SELECT isHead FROM operation WHERE seq = ?", [row.seq], as: Int.self)
            try remove(row, from: position ?? row.position)
            try passOnPredecessors(of: row)
        }
        return all
    }

    /// D32: The operations that follow a removed one follow its own predecessor instead.
    private func passOnPredecessors(of row: OutboxRow) throws {
        let own = row.dependsOn?.split(separator: " ").filter { !OutboxDraft.dependency($0).isNeeded } ?? []
        try run(
            """
            UPDATE operation SET dependsOn = replace(dependsOn, ?1, ?2)
            WHERE dependsOn IS NOT NULL AND instr(dependsOn, ?1) > 0
            """,
            [OutboxDraft.following(row.id), own.joined(separator: " ")]
        )
    }

    /// Returns an operation about which the user can decide now.
    ///
    /// - Parameters:
    ///   - id: The key of the operation.
    ///   - account: The account that decides.
    ///   - path: The path of the file.
    ///   - isDiscarding: Whether the operation is to be removed, which is also possible in a state
    ///     of a newer version.
    /// - Returns: The operation.
    /// - Throws: ``StorageError``.
    func decidable(_ id: String, of account: String, path: String, isDiscarding: Bool = false) throws -> OutboxRow {
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
        guard row.hasKnownState || isDiscarding else {
            throw StorageError.noSuchOperation(path, id, "is in a state of a newer version of the app")
        }
        return row
    }

    /// D21: Has a parked operation sent again, with its key.
    ///
    /// - Parameters:
    ///   - row: The operation.
    ///   - now: The time in milliseconds.
    ///   - isUnsent: Whether the server has said that it has not carried it out.
    ///   - isAutomatic: Whether code has decided so, and not the user.
    /// - Returns: The queued operation.
    /// - Throws: The error of the database.
    func retry(_ row: OutboxRow, at now: Int64, isUnsent: Bool, isAutomatic: Bool) throws -> OutboxRow {
        if row.entry.state == .conflict {
            // D22: With the condition that has failed, it would only fail again.
            try run("UPDATE operation SET entityTag = NULL, theirs = NULL WHERE seq = ?", [row.seq])
        }
        try rejoinLine(row)
        return try write(row.entry.retried(at: now, isUnsent: isUnsent, isAutomatic: isAutomatic), to: row)
    }

    /// D21: Replaces an operation with a new operation, at the same position and with a new key.
    ///
    /// - Parameters:
    ///   - row: The operation.
    ///   - draft: The new one.
    ///   - isAutomatic: Whether code has decided so, and not the user.
    /// - Throws: The error of the database.
    func replace(_ row: OutboxRow, with draft: OutboxDraft, isAutomatic: Bool) throws {
        let entry = row.entry.retried(at: 0, isUnsent: true, isAutomatic: isAutomatic)
        let draft = try renamed(draft)
        try run(
            """
            UPDATE operation
            SET id = ?, version = ?, request = ?, checksum = ?, change = ifnull(?, change), entityTag = ?,
                label = ifnull(?, label), state = 'queued', attempts = ?, notBefore = ?, firstSentAt = NULL,
                status = NULL, reason = NULL, theirs = NULL
            WHERE seq = ?
            """,
            [
                "\(draft.id)", draft.kind.versions.upperBound, draft.request, OutboxRow.checksum(of: draft.request),
                draft.change, draft.entityTag, draft.label, entry.attempts, entry.notBefore, row.seq,
            ]
        )
        try rejoinLine(row)
        try unblock(behind: row.id)
        try run(
            """
            UPDATE operation SET dependsOn = replace(dependsOn, ?1, ?2)
            WHERE dependsOn IS NOT NULL AND instr(dependsOn, ?1) > 0
            """,
            [row.id, "\(draft.id)"]
        )
    }

    /// D5: Has everything sent that waits for a sign-in, an update or its next attempt.
    func resume(_ account: String) throws -> [OutboxRow] {
        let rows = try rows(
            """
            WHERE account = ?
                AND (state IN ('waitingForLogIn', 'waitingForUpdate') OR state = 'queued' AND notBefore > 0)
            """,
            [account]
        )
        return try rows.map { try write($0.entry.resumed, to: $0) }
    }

    /// D7: Removes all operations of an account, and returns them.
    func purge(_ account: String) throws -> [OutboxRow] {
        let rows = try operations(of: account, limit: .max)
        try run("DELETE FROM operation WHERE account = ?", [account])
        try run("DELETE FROM alias WHERE account = ?", [account])
        return rows
    }

    func status(of account: String) throws -> OutboxStatus {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT state, count(*) AS number FROM operation WHERE account = ? GROUP BY state"
            ),
            arguments: [account]
        )
        var counts: [DeliveryState: Int] = [:]
        for row in rows {
            counts[OutboxRow.state(row.value("state")).value, default: 0] += row.value("number") ?? 0
        }
        let oldest = counts.isEmpty ? nil : try oldest(of: account)
        return try OutboxStatus(
            counts: counts,
            oldest: oldest.map(Date.init(milliseconds:)),
            isDrained: !isMoving(account)
        )
    }
}

extension OutboxTransaction {
    /// When the oldest operation of an account was made, in milliseconds.
    private func oldest(of account: String) throws -> Int64? {
        // The `+` makes SQLite read in the order of `seq` and stop at the first row.
        try first("SELECT createdAt FROM operation WHERE +account = ? ORDER BY seq LIMIT 1", [account])?
            .value("createdAt")
    }

    private func readQuota(of account: String, within limits: Outbox.Limits) throws -> OutboxQuota {
        let total = try first(
            """
            SELECT count(*), sum(length(request) + ifnull(length(change), 0) + ifnull(length(base), 0))
            FROM operation WHERE account = ?
            """,
            [account]
        )
        let (count, bytes): (Int, Int) = (total?[0] ?? 0, total?[1] ?? 0)
        return OutboxQuota(operations: min(limits.operations - count, 10_000), bytes: limits.bytes - bytes)
    }
}
