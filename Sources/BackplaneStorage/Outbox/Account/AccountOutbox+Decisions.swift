internal import BackplaneConcurrency
public import BackplaneFeatures
public import BackplaneNetworking
internal import Foundation
internal import GRDB

extension AccountOutbox {
    /// Sends an operation again, with its key and at its old position.
    ///
    /// The server may then carry out an operation in `DeliveryState.needsReview` twice. An
    /// operation in `DeliveryState.conflict` is sent without the condition that has failed.
    ///
    /// - Parameter id: The key of the operation.
    /// - Throws: ``StorageError`` with `noSuchOperation` if the operation is not in the file, or is
    ///   being sent.
    public func retry(_ id: IdempotencyKey) async throws {
        try await retry(id, isUnsent: false)
    }

    private func retry(_ id: IdempotencyKey, isUnsent: Bool) async throws {
        let (now, isAutomatic) = (outbox.file.clock.now, AutomaticDecision.isUnderWay)
        let decidable = decidable(id)
        outbox.hold("\(id)")
        defer { release(id) }
        let row = try await outbox.file.change { transaction in
            try transaction.retry(decidable(transaction), at: now, isUnsent: isUnsent, isAutomatic: isAutomatic)
        }
        outbox.existingTicket(row.id)?.update(row.progress)
        changed()
        await show(kinds: row.shownIn)
    }

    /// U4: Has an operation sent that the stores show.
    private func release(_ id: IdempotencyKey) {
        outbox.release("\(id)")
        wakeSenders()
    }

    /// Replaces an operation with a new operation, at the same position and with a new key.
    ///
    /// When this function returns, the stores of the account show the new change in place of the
    /// old one. This process sends it after that. Callers that wait for the replaced operation
    /// receive a ``StorageError``. Operations that needed the old operation now need the new one.
    /// If the outcome of the replaced operation is unknown (``OutboxOperation/firstSentAt``), the
    /// server may carry out both.
    ///
    /// - Parameters:
    ///   - id: The key of the operation that is replaced.
    ///   - endpoint: The new request.
    ///   - change: The new change of the record, if the operation is a change of a record. By
    ///     default the record shows the same change as before.
    ///   - entityTag: The version of the record for which the new request is made, for `If-Match`.
    ///   - label: The new label; by default the label stays.
    /// - Returns: The key of the new operation.
    /// - Throws: ``StorageError`` with `noSuchOperation` if the operation is not in the file, or is
    ///   being sent. `NetworkError` if the endpoint cannot be sent.
    @discardableResult
    public func edit<Response>(
        _ id: IdempotencyKey,
        to endpoint: AuthenticatedIdempotentEndpoint<Response>,
        change: (any RecordChange)? = nil,
        entityTag: String? = nil,
        label: String? = nil
    ) async throws -> IdempotencyKey {
        let request = try controller.freeze(endpoint)
        let written = try change.map { try JSONEncoder.outbox.encode($0) }
        let (account, kinds, path) = (account, outbox.kinds, outbox.file.path)
        let (key, isAutomatic) = (IdempotencyKey(), AutomaticDecision.isUnderWay)
        let decidable = decidable(id)
        outbox.hold("\(key)")
        defer { release(key) }
        _ = try await remove(.replaced) { transaction in
            let row = try decidable(transaction)
            guard let kind = kinds[row.kind] else {
                throw StorageError.noSuchOperation(path, row.id, "is of a kind that this version of the app lacks")
            }
            var draft = OutboxDraft(id: key, account: account, kind: kind, entity: row.entity, request: request)
            (draft.change, draft.entityTag, draft.label) = (written, entityTag, label)
            try transaction.replace(row, with: draft, isAutomatic: isAutomatic)
            return [row]
        }
        return key
    }

    /// Returns the operations that need this one, directly or indirectly.
    ///
    /// - Parameter id: The key of the operation.
    /// - Returns: The operations, to show to the user before ``discard(_:)`` removes them.
    /// - Throws: ``StorageError`` with `databaseFailed`.
    public func dependents(of id: IdempotencyKey) async throws -> [OutboxOperation] {
        let account = account
        return try await outbox.file.read { transaction in
            try transaction.dependents(of: "\(id)", in: account).compactMap(\.operation)
        }
    }

    /// Removes an operation, and the operations that need it.
    ///
    /// If an operation was sent before and its outcome is unknown
    /// (``OutboxOperation/firstSentAt``), the server may have carried it out. In this case, load
    /// the value again, and enqueue the opposite operation if the user wants it (D11).
    ///
    /// - Parameter id: The key of the operation.
    /// - Returns: The removed operations. The discarded operation itself is the first.
    /// - Throws: ``StorageError`` with `noSuchOperation` if the operation is not in the file, or is
    ///   being sent.
    @discardableResult
    public func discard(_ id: IdempotencyKey) async throws -> [OutboxOperation] {
        try await discard(id, dismissedIn: nil)
    }

    private func discard(
        _ id: IdempotencyKey,
        dismissedIn store: StorePresence?
    ) async throws -> [OutboxOperation] {
        let decidable = decidable(id, isDiscarding: true)
        return try await remove(.discarded, dismissedIn: store) { try $0.discard(decidable($0)) }
    }

    /// Ends all attempts as ``stop()`` does, and then removes all operations of the account (D7).
    ///
    /// Use it for a user who signs out and does not want to keep the operations.
    ///
    /// The attempts of other objects of this account end, too. Objects that were started send later
    /// operations.
    ///
    /// - Throws: ``StorageError`` with `databaseFailed`.
    public func discardAll() async throws {
        let account = account
        // No call of start takes effect in between.
        try await sender.stop(order: sender.order()) {
            try await self.interrupt(self.outbox.senders(of: account)[...]) {
                _ = try await self.remove(.discarded) { transaction in try transaction.purge(account) }
            }
        }
    }

    /// Runs `body` while these senders send nothing.
    private func interrupt(
        _ senders: ArraySlice<OutboxSender>,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        guard let sender = senders.first else { return try await body() }
        try await sender.stop(order: 0) { try await self.interrupt(senders.dropFirst(), body) }
    }

    /// Sets the closure that checks operations whose keys the server may have forgotten (D14).
    ///
    /// The closure finds out whether the server has carried out such an operation. Without a
    /// closure, the operation stays in `DeliveryState.needsReview` until the user decides.
    ///
    /// ```swift
    /// mine.review(.purchases) { operation in
    ///     let known = try await controller.request(.purchases)
    ///     return known.contains { $0.key == operation.id }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - kind: The kind of the operations.
    ///   - review: Asks the server, usually with a GET request, and returns whether it has carried
    ///     out the operation. With `true`, the operation is confirmed; with `false`, it is sent
    ///     again. With `nil`, the user decides. If it throws, the operation does not change, and
    ///     the closure is called again after ``resume()`` or ``start()``. If the user decides
    ///     first, the result has no effect. This object keeps the closure, so do not capture the
    ///     object strongly.
    public func review(
        _ kind: OutboxKind,
        _ review: @escaping @Sendable (OutboxOperation) async throws -> Bool?
    ) {
        decide(kind, in: .needsReview) { [weak self] operation in
            switch try await review(operation) {
            case true: try await self?.confirm(operation.id)
            case false: try await self?.retry(operation.id, isUnsent: true)
            case nil: break
            }
        }
    }

    /// Sets the closure that resolves the conflicts of a kind (D22).
    ///
    /// Without a closure, or if it does nothing, the operation stays in
    /// `DeliveryState.conflict` until the user decides.
    ///
    /// ```swift
    /// mine.resolveConflicts(of: .notes) { [weak mine] (conflict: RecordConflict<EditNote>) in
    ///     guard let theirs = conflict.theirs else { return }
    ///     let merged = conflict.change.merged(with: theirs)
    ///     try await mine?.edit(
    ///         conflict.operation.id,
    ///         to: .edit(merged),
    ///         change: merged,
    ///         entityTag: theirs.tag
    ///     )
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - kind: The kind of the operations.
    ///   - resolve: Calls ``edit(_:to:change:entityTag:label:)``, ``retry(_:)`` or ``discard(_:)``,
    ///     or does nothing. If it throws, the operation does not change. After a second conflict,
    ///     or if the server asks for a pause, there is a pause before the resolution is sent. After
    ///     the user has decided, these calls throw. The closure is called for one operation of a
    ///     kind at a time, so do not wait for the user in it. This object keeps the closure, so do
    ///     not capture the object strongly.
    public func resolveConflicts<Change: RecordChange>(
        of kind: OutboxKind,
        _ resolve: @escaping @Sendable (RecordConflict<Change>) async throws -> Void
    ) where Change.Value: Decodable & Sendable {
        decide(kind, in: .conflict) { operation in
            if let conflict = operation.conflict(over: Change.self) { try await resolve(conflict) }
        }
    }

    private func decide(
        _ kind: OutboxKind,
        in state: DeliveryState,
        _ decide: @escaping @Sendable (OutboxOperation) async throws -> Void
    ) {
        content.withLock { $0.deciders[kind.name, default: [:]][state] = decide }
        decideParked()
    }

    /// Removes an operation that the server has refused, or that needs such a one, after the user
    /// has seen the reason at its record.
    ///
    /// If it cannot be removed, or is sent again by others, `restore` is called, and stores show it
    /// again.
    func dismiss(
        _ id: IdempotencyKey,
        of kind: OutboxKind,
        in store: StorePresence,
        restore: @escaping @Sendable () -> Void
    ) {
        let (key, account) = ("\(id)", account)
        Task {
            do {
                let hasFailed = try await outbox.file.read { transaction -> Bool? in
                    guard let row = try transaction.operation(key), row.account == account else { return nil }
                    if row.entry.state.hasFailed { return true }
                    return try row.entry.state == .queued && transaction.blocker(of: row.dependsOn) != nil
                }
                if hasFailed == true { _ = try await discard(id, dismissedIn: store) }
                // Others have sent it again meanwhile.
                guard hasFailed == false else { return }
            } catch {}
            restore()
            changed(kinds: [kind.name])
        }
    }

    /// Returns a closure that finds an operation about which the caller can decide now.
    private func decidable(
        _ id: IdempotencyKey,
        isDiscarding: Bool = false
    ) -> @Sendable (OutboxTransaction) throws -> OutboxRow {
        let (key, account, path) = ("\(id)", account, outbox.file.path)
        let question = AutomaticDecision.question
        return { transaction in
            let row = try transaction.decidable(key, of: account, path: path, isDiscarding: isDiscarding)
            try question?.check(row, path: path)
            return row
        }
    }

    /// The reason why operations leave the outbox.
    private enum Removal {
        case confirmed, discarded
        /// Another operation replaces it.
        case replaced
    }

    /// Removes operations in one transaction, ends the waits for them, and notifies the stores.
    ///
    /// - Parameters:
    ///   - reason: Why they are removed.
    ///   - store: The store that does not show them any more.
    ///   - removal: Removes the operations, and returns them.
    /// - Returns: The operations.
    /// - Throws: ``StorageError``.
    private func remove(
        _ reason: Removal,
        dismissedIn store: StorePresence? = nil,
        _ removal: @escaping @Sendable (OutboxTransaction) throws -> [OutboxRow]
    ) async throws -> [OutboxOperation] {
        let rows = try await outbox.file.change { [outbox] transaction in
            let rows = try removal(transaction)
            outbox.endHere(rows.map(\.id), areReplaced: reason == .replaced, in: transaction)
            return rows
        }
        if store != nil { for row in rows.dropFirst() { outbox.existingTicket(row.id)?.noteDismissal() } }
        // Records that show them as refused show them no longer.
        let kinds: Set<String> = reason == .confirmed ? [] : rows.reduce(into: []) { $0.formUnion($1.shownIn) }
        if reason == .replaced { await show(kinds: kinds) }
        await outbox.file.wipe()
        for row in rows {
            let ticket = outbox.removeTicket(row.id)
            if reason == .confirmed {
                ticket?.finish(.success(nil))
            } else {
                ticket?.discard(in: outbox.file.path)
            }
        }
        // Stores show a replacement already.
        changed(kinds: reason == .replaced ? [] : kinds) { $0 === store }
        wakeSenders()
        return rows.compactMap(\.operation)
    }

    /// Asks the closures of the app about operations that are parked.
    ///
    /// Each kind is asked about for itself, so a closure that does not return stops no other kind.
    func decideParked() {
        // One question at a time, because a second answer would be about a former state.
        let kinds = content.withLock { content in
            content.deciders.keys.filter { content.decisions[$0, default: RepeatedWork()].request() }
        }
        for kind in kinds {
            Task {
                repeat {
                    await askAboutParked(of: kind)
                } while content.withLock { $0.decisions[kind, default: RepeatedWork()].finish() }
            }
        }
    }

    private func askAboutParked(of kind: String) async {
        let (account, deciders) = (account, content.withLock { $0.deciders[kind, default: [:]] })
        guard let ids = try? await outbox.file.read({ try $0.parked(of: account, kind: kind) }) else { return }
        for id in ids {
            // The user may have decided about it during an earlier question.
            guard let row = try? await outbox.file.read({ try $0.operation(id) }), let operation = row.operation
            else { continue }
            await AutomaticDecision.$question.withValue(AutomaticDecision(row)) {
                try? await deciders[row.entry.state]?(operation)
            }
        }
    }

    /// Removes an operation that the server has carried out, as a question to it has shown.
    private func confirm(_ id: IdempotencyKey) async throws {
        let decidable = decidable(id)
        _ = try await remove(.confirmed) { transaction in
            let row = try decidable(transaction)
            try transaction.confirm(row, leadingTo: nil)
            return [row]
        }
    }
}

extension OutboxRow {
    /// The kind whose stores show the operation, if it is a change of a record.
    fileprivate var shownIn: Set<String> { change == nil ? [] : [kind] }
}

/// A question to code of the app about an operation, which decides instead of the user (D31).
struct AutomaticDecision: Sendable {
    @TaskLocal static var question: AutomaticDecision?

    static var isUnderWay: Bool { question != nil }

    private let id: String
    private let entry: ChangeEntry

    init(_ row: OutboxRow) { (id, entry) = (row.id, row.entry) }

    /// Throws if the answer comes too late, because the operation has changed since the question.
    func check(_ row: OutboxRow, path: String) throws {
        guard row.id != id || row.entry == entry else {
            throw StorageError.noSuchOperation(path, id, "has changed since the question about it")
        }
    }
}
