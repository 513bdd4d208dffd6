internal import BackplaneConcurrency
public import BackplaneFeatures
public import BackplaneNetworking
public import Foundation
internal import GRDB
public import Observation

/// The operations of one account in an ``Outbox``.
///
/// ```swift
/// let mine = outbox.account(user.id, through: controller)
/// mine.start()
/// let operation = try await mine.enqueue(.purchase(product), of: .purchases, entity: "purchases")
/// ```
///
/// **Isolation.** Use it from any thread. ``status`` and ``operations`` are observable.
///
/// **Account.** Only the operations of this account are sent, with the credentials of its user.
/// Call ``stop()`` before another user logs in on the same device (D24). After an expired session,
/// the operations wait; call ``resume()`` when the same user has logged in again.
///
/// **Order.** Operations of one entity are sent one at a time, in the order in which they were
/// saved. Operations of different entities are sent in parallel, unless one needs the other.
///
/// **Cancellation.** If the task of a caller is cancelled, only the call ends. An operation that is
/// saved is not affected.
///
/// **Lifetime.** Releasing the object ends its attempts. Operations that are not confirmed stay in
/// the file.
public final class AccountOutbox: Sendable, Observable {
    private struct Content: Sendable {
        var status = OutboxStatus.empty
        var operations: [OutboxOperation] = []
        /// Whether anybody has read the operations, so that they are kept up to date.
        var isListed = false
        /// Whether anybody has read the status, so that it is kept up to date.
        var isObserved = false
        var refresh = RepeatedWork()
        var decisions = RepeatedWork()
        /// The callers that look again after each change.
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0
        var listeners: [Listener] = []
        var reviews: [String: @Sendable (OutboxOperation) async throws -> OutboxReview] = [:]
        var resolvers: [String: @Sendable (OutboxOperation) async throws -> Void] = [:]
    }

    /// A store that shows changes of a kind.
    private struct Listener: Sendable {
        let kind: String
        weak var call: OwnerCall?
    }

    /// The largest number of operations in ``operations``.
    public static let listedOperations = 100

    /// The account whose operations these are.
    public let account: String
    let outbox: Outbox
    let controller: AuthenticatedNetworkController
    private let onEvent: @Sendable (OutboxEvent) -> Void
    private let content = Locked(Content())
    private let changes = OutboxChanges()
    let sender: OutboxSender

    init(
        of account: String,
        in outbox: Outbox,
        through controller: AuthenticatedNetworkController,
        onEvent: @escaping @Sendable (OutboxEvent) -> Void,
        explaining explain: @escaping @Sendable (NetworkError) -> String
    ) {
        self.account = account
        self.outbox = outbox
        self.controller = controller
        self.onEvent = onEvent
        sender = OutboxSender(of: account, in: outbox, through: controller, explaining: explain)
    }

    deinit {
        let sender = sender
        Task { await sender.stop(order: .max) }
    }

    // MARK: The contents of the file

    /// The operations in numbers; observable.
    ///
    /// The first access returns a status without operations, and the numbers follow as a change.
    public var status: OutboxStatus {
        changes.observe()
        let (status, isFirst) = content.withLock { content in
            defer { content.isObserved = true }
            return (content.status, !content.isObserved)
        }
        if isFirst { refresh() }
        return status
    }

    /// The oldest operations in order, at most ``listedOperations``; observable.
    ///
    /// The first access returns an empty array, and the operations follow as a change. To read
    /// more operations, or to read them at once, call ``operations(limit:)``.
    public var operations: [OutboxOperation] {
        changes.observe()
        let (operations, isFirst) = content.withLock { content in
            defer { content.isListed = true }
            return (content.operations, !content.isListed)
        }
        if isFirst { refresh() }
        return operations
    }

    /// Reads the oldest operations from the file.
    ///
    /// - Parameter limit: The largest number of operations.
    /// - Returns: The operations in the order in which they were saved.
    /// - Throws: ``StorageError`` with `databaseFailed`. `CancellationError` if the task is
    ///   cancelled.
    public func operations(limit: Int) async throws -> [OutboxOperation] {
        let account = account
        return try await outbox.file.access { database in
            try database.operations(of: account, limit: limit).compactMap(\.operation)
        }
    }

    /// Suspends until the server has confirmed all operations that need no decision of the user.
    ///
    /// Operations that wait for a log-in, an update of the app or a network keep it waiting.
    ///
    /// - Throws: `CancellationError` if the task is cancelled. ``StorageError`` with
    ///   `databaseFailed` if the file cannot be read.
    public func waitUntilDrained() async throws {
        let account = account
        // Watches before the first look, so that no change is missed in between.
        for await _ in watch() {
            if try await !outbox.file.access({ try $0.isMoving(account) }) { return }
        }
        throw CancellationError()
    }

    /// Returns a sequence with an element at once and after each change.
    private func watch() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let id = content.withLock { content in
            content.lastWatcher += 1
            content.watchers[content.lastWatcher] = continuation
            return content.lastWatcher
        }
        continuation.onTermination = { [weak self] _ in self?.content.withLock { $0.watchers[id] = nil } }
        return stream
    }

    // MARK: Adding

    /// Saves an operation, and returns when it is on the disk.
    ///
    /// The function does not wait for the server. The endpoint must be one that needs a key,
    /// because only then does a server carry out a repeated request once (D9).
    ///
    /// ```swift
    /// let purchase = try await mine.enqueue(.purchase(id), of: .purchases, entity: "purchases")
    /// let receipt = try await purchase.response()
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The request. Its bytes are kept, and sent unchanged at each attempt.
    ///   - kind: One of the kinds of the outbox.
    ///   - entity: The name of the thing that the operation changes. Operations of one entity are
    ///     sent one at a time, in the order in which they were saved.
    ///   - dependency: An operation that the server must have confirmed first.
    ///   - label: A text for the user, in ``operations``.
    ///   - key: The key of the operation. An operation whose key is in the file is not saved again.
    /// - Returns: The saved operation, to wait for its response.
    /// - Throws: ``StorageError`` with `notSaved`, `full` or `newerVersion`. `NetworkError` if the
    ///   endpoint cannot be sent. `CancellationError` if the task is cancelled before the operation
    ///   is on the disk. After any error, the operation is not saved.
    /// - Precondition: The outbox was opened with `kind`.
    public func enqueue<Response>(
        _ endpoint: AuthenticatedKeyedEndpoint<Response>,
        of kind: OutboxKind,
        entity: String,
        after dependency: IdempotencyKey? = nil,
        label: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> SavedOperation<Response> {
        let draft = OutboxDraft(
            id: key,
            account: account,
            kind: checked(kind),
            entity: entity,
            dependsOn: dependency.map { [$0] } ?? [],
            label: label,
            request: try controller.freeze(endpoint)
        )
        let new = OutboxTicket(key)
        let ticket = outbox.ticket(for: "\(key)") { new }
        do {
            try await outbox.file.save(outbox.insertion(of: draft))
        } catch {
            // Others may wait for an operation with a known key.
            if ticket === new { outbox.removeTicket("\(key)")?.finish(.failure(error)) }
            throw error
        }
        saved(draft, ticket)
        // Keeps this object: without it, nobody sends the operation that the caller waits for.
        return SavedOperation(id: key, ticket: ticket) { reply in
            try self.controller.decode(reply, from: endpoint)
        }
    }

    /// Notes that an operation is on the disk.
    func saved(_ draft: OutboxDraft, _ ticket: OutboxTicket) {
        ticket.noteSaved()
        changed(kinds: draft.change == nil ? [] : [draft.kind.name])
        wakeSenders()
    }

    /// Notes that operations without changes of records were added.
    func noteAdded() {
        changed(kinds: [])
        wakeSenders()
    }

    /// Has all objects of the account look for operations to send.
    func wakeSenders() {
        for mine in outbox.accounts(named: account) { mine.sender.wake() }
    }

    func checked(_ kind: OutboxKind) -> OutboxKind {
        precondition(
            outbox.kinds[kind.name] == kind,
            "The kind '\(kind.name)' is not one of the kinds of this outbox. Add it to `Outbox(file:kinds:)`."
        )
        return kind
    }
}

// MARK: - Sending

extension AccountOutbox {
    /// Starts to send the operations, also those of earlier processes.
    ///
    /// Call it when the user is signed in, and again after ``stop()`` and ``drain(within:)``. While
    /// the operations are being sent, a further call only does the same as ``resume()``. A call of
    /// ``stop()`` after this one also ends a start that has not taken effect yet.
    public func start() {
        let (signIn, order) = (controller.signIn, sender.order())
        Task {
            await resumeAll(as: signIn)
            await sender.start(for: self, as: signIn, order: order)
            await decideParked()
        }
    }

    /// Sends the operations at once that wait for a log-in, an update of the app, or their next
    /// attempt.
    ///
    /// Call it after the user of this account has logged in again. A store with changes in this
    /// outbox calls it in its `refresh()`. Before ``start()``, nothing is sent.
    /// The operations are sent with the credentials of the user who is signed in at the time of the
    /// call.
    public func resume() {
        let signIn = controller.signIn
        Task { await resumeAll(as: signIn) }
    }

    private func resumeAll(as signIn: SignIn) async {
        await resumeRows()
        await sender.resume(as: signIn)
        changed(kinds: [])
    }

    /// Leaves the operations to another log-in of the same user, as in another window of a server.
    func passOn() {
        let others = outbox.accounts(named: account).filter { $0 !== self }
        guard !others.isEmpty else { return }
        Task {
            for other in others where await other.sender.canSend {
                await resumeRows()
                other.sender.wake()
                return
            }
        }
    }

    private func resumeRows() async {
        let account = account
        do {
            let rows = try await outbox.file.access { database in try database.resume(account) }
            for row in rows { outbox.existingTicket(row.id)?.update(row.progress) }
        } catch {
            if !outbox.isReadOnly { onEvent(.fileFailed(.outboxFailed(outbox.file.path, error))) }
        }
    }

    /// Ends all attempts, and returns when this object sends nothing any more (D24).
    ///
    /// Call it before another user logs in, and before the process is suspended. The operations
    /// stay in the file. An attempt that was under way is repeated after ``start()``, with the same
    /// key.
    public func stop() async {
        await sender.stop(order: sender.order())
    }

    /// Sends until the server has confirmed all operations that need no decision of the user, or
    /// until a time is over, and then stops (D18).
    ///
    /// Use it in the background time that a system grants. When the function returns, no request is
    /// under way, and no file is locked. Call ``start()`` to continue later.
    /// It also returns when everything that is left waits for a log-in or an update.
    ///
    /// ```swift
    /// let isDrained = await mine.drain(within: .seconds(20))
    /// ```
    ///
    /// - Parameter time: The time after which it stops.
    /// - Returns: Whether the server has confirmed all operations that need no decision.
    @discardableResult
    public func drain(within time: Duration) async -> Bool {
        // Both numbers now, so that a later call of start wins.
        let (signIn, started, stopped) = (controller.signIn, sender.order(), sender.order())
        await resumeAll(as: signIn)
        await sender.start(for: self, as: signIn, order: started)
        let clock = outbox.file.clock.clock
        let isDrained = await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.waitUntilIdle() }
            group.addTask {
                try? await clock.sleep(for: time)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
        await sender.stop(order: stopped)
        return isDrained
    }

    /// Suspends until nothing can be sent without the user.
    ///
    /// - Returns: Whether all operations that need no decision are confirmed.
    private func waitUntilIdle() async -> Bool {
        let account = account
        for await _ in watch() {
            let found = try? await outbox.file.access { database in
                (hasWork: try database.hasWork(account), isMoving: try database.isMoving(account))
            }
            guard let found else { return false }
            if !found.hasWork { return !found.isMoving }
        }
        return false
    }

    /// Tells which network there is; without a call, any network is assumed to be there (D23).
    public func use(_ network: OutboxNetwork) async {
        await sender.use(network)
    }

    /// Tells the observers what a turn has changed.
    func note(_ turn: OutboxTurn) {
        for row in turn.changed { note(row) }
        if !turn.acknowledged.isEmpty || !turn.changed.isEmpty || !turn.claimed.isEmpty {
            changed(kinds: [])
        }
        if turn.changed.contains(where: { $0.entry.state.isParked }) { Task { await decideParked() } }
    }

    private func note(_ row: OutboxRow) {
        guard let operation = row.operation else { return }
        switch row.entry.state {
        case .dead, .conflict, .needsReview: onEvent(.parked(operation))
        case .waitingForLogIn: onEvent(.waitsForLogIn(operation))
        case .queued, .sending, .waitingForUpdate: break
        }
    }
}

// MARK: - Decisions

extension AccountOutbox {
    /// Sends an operation again, with its key and in its place.
    ///
    /// An operation in ``OutboxOperation/State/needsReview`` may take place twice then. One in
    /// ``OutboxOperation/State/conflict`` is sent without the condition that has failed.
    ///
    /// - Parameter id: The key of the operation.
    /// - Throws: ``StorageError`` with `noSuchOperation` if it is not in the file, or is under way.
    public func retry(_ id: IdempotencyKey) async throws {
        try await retry(id, isUnsent: false)
    }

    private func retry(_ id: IdempotencyKey, isUnsent: Bool) async throws {
        let now = outbox.file.clock.now
        let row = try await change(id) { database, row in try database.retry(row, at: now, isUnsent: isUnsent) }
        outbox.existingTicket(row.id)?.update(row.progress)
        reviveRecords(of: row)
    }

    /// Replaces an operation by another one in its place, with a key of its own.
    ///
    /// Callers that wait for the replaced operation receive an ``OutboxFailure``. Operations that
    /// need it need the new one instead.
    ///
    /// - Parameters:
    ///   - id: The key of the operation that is replaced.
    ///   - endpoint: The new request.
    ///   - change: The new change of the record, if the operation is a change of a record. By
    ///     default the record shows the same change as before.
    ///   - entityTag: The version that the new request is made for, for `If-Match`.
    ///   - label: The new label; by default the label stays.
    /// - Returns: The key of the new operation.
    /// - Throws: ``StorageError`` with `noSuchOperation` if the operation is not in the file, or is
    ///   under way. `NetworkError` if the endpoint cannot be sent.
    @discardableResult
    public func edit<Response>(
        _ id: IdempotencyKey,
        to endpoint: AuthenticatedKeyedEndpoint<Response>,
        change: (any RecordChange)? = nil,
        entityTag: String? = nil,
        label: String? = nil
    ) async throws -> IdempotencyKey {
        let request = try controller.freeze(endpoint)
        let written = try change.map { try JSONEncoder.outbox.encode($0) }
        let (account, outbox, path) = (account, outbox, outbox.file.path)
        let key = IdempotencyKey()
        let row = try await self.change(id) { database, row in
            guard let kind = outbox.kinds[row.entry.kind] else {
                throw StorageError.noSuchOperation(path, row.id, "is of a kind that this version of the app lacks")
            }
            var draft = OutboxDraft(id: key, account: account, kind: kind, entity: row.entity, request: request)
            (draft.change, draft.entityTag, draft.label) = (written, entityTag, label)
            try database.replace(row, with: draft)
            outbox.endHere([row.id])
            return row
        }
        if let operation = row.operation {
            outbox.removeTicket(row.id)?.finish(.failure(OutboxFailure(operation: operation, isDiscarded: true)))
        }
        reviveRecords(of: row)
        return key
    }

    /// Returns the operations that need this one, directly or indirectly.
    ///
    /// - Parameter id: The key of the operation.
    /// - Returns: The operations, to show to the user before ``discard(_:)`` removes them.
    /// - Throws: ``StorageError`` with `databaseFailed`.
    public func dependents(of id: IdempotencyKey) async throws -> [OutboxOperation] {
        let account = account
        return try await outbox.file.access { database in
            try database.dependents(of: "\(id)", in: account).compactMap(\.operation)
        }
    }

    /// Removes an operation, and the operations that need it.
    ///
    /// If an operation was sent before and its outcome is unknown
    /// (``OutboxOperation/firstSentAt``), the server may have carried it out. Then load the value
    /// again, and enqueue the opposite operation if the user wants that (D11).
    ///
    /// - Parameter id: The key of the operation.
    /// - Returns: The removed operations, the given one first.
    /// - Throws: ``StorageError`` with `noSuchOperation` if it is not in the file, or is under way.
    @discardableResult
    public func discard(_ id: IdempotencyKey) async throws -> [OutboxOperation] {
        let (key, account, path) = ("\(id)", account, outbox.file.path)
        let rows = try await outbox.file.access { [outbox] database in
            let rows = try database.discard(database.decidable(key, of: account, path: path))
            outbox.endHere(rows.map(\.id))
            return rows
        }
        let operations = rows.compactMap(\.operation)
        for operation in operations { end(operation) }
        changed(kinds: [])
        wakeSenders()
        return operations
    }

    /// Removes all operations of the account, for a user who signs out and does not want to keep
    /// them (D7).
    ///
    /// Call ``stop()`` first, so that none of them is under way.
    ///
    /// - Throws: ``StorageError`` with `databaseFailed`.
    public func discardAll() async throws {
        let account = account
        let rows = try await outbox.file.access { [outbox] database in
            let rows = try database.purge(account)
            outbox.endHere(rows.map(\.id))
            return rows
        }
        for operation in rows.compactMap(\.operation) { end(operation) }
        changed(kinds: [])
    }

    /// Returns all operations of this account as JSON: see ``Outbox/export(account:)``.
    ///
    /// - Throws: ``StorageError`` with `databaseFailed`.
    public func export() async throws -> Data {
        try await outbox.export(account: account)
    }

    /// Sets the closure that finds out whether the server has carried out operations whose keys it
    /// may have forgotten (D14).
    ///
    /// Without a closure, they stay in ``OutboxOperation/State/needsReview`` until the user
    /// decides.
    ///
    /// ```swift
    /// mine.review(.purchases) { operation in
    ///     let known = try await controller.request(.purchases)
    ///     return known.contains { $0.key == operation.id } ? .carriedOut : .notCarriedOut
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - kind: The kind of the operations.
    ///   - review: Asks the server, usually with a GET request. If it throws, the operation stays
    ///     as it is. This object keeps the closure, so do not capture the object strongly.
    public func review(
        _ kind: OutboxKind,
        _ review: @escaping @Sendable (OutboxOperation) async throws -> OutboxReview
    ) {
        content.withLock { $0.reviews[kind.name] = review }
        Task { await decideParked() }
    }

    /// Sets the closure that resolves the conflicts of a kind (D22).
    ///
    /// Without a closure, or if it does nothing, the operation stays in
    /// ``OutboxOperation/State/conflict`` until the user decides.
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
    ///   - resolve: Calls ``edit(_:to:change:entityTag:label:)``, ``retry(_:)`` or
    ///     ``discard(_:)``, or does nothing. If it throws, the operation stays as it is. This
    ///     object keeps the closure, so do not capture the object strongly.
    public func resolveConflicts<Change: RecordChange>(
        of kind: OutboxKind,
        _ resolve: @escaping @Sendable (RecordConflict<Change>) async throws -> Void
    ) where Change.Value: Decodable & Sendable {
        content.withLock { content in
            content.resolvers[kind.name] = { operation in
                if let conflict = operation.conflict(over: Change.self) { try await resolve(conflict) }
            }
        }
        Task { await decideParked() }
    }

    /// Removes an operation that the server has refused, after the user has seen the reason at its
    /// record.
    func dismiss(_ id: IdempotencyKey) {
        let (key, account) = ("\(id)", account)
        Task {
            let row = try? await outbox.file.access { database in try database.operation(key) }
            guard let row, row.account == account, [.dead, .conflict].contains(row.entry.state) else { return }
            _ = try? await discard(id)
        }
    }

    private func end(_ operation: OutboxOperation) {
        outbox.removeTicket("\(operation.id)")?
            .finish(.failure(OutboxFailure(operation: operation, isDiscarded: true)))
    }

    private func change(
        _ id: IdempotencyKey,
        _ change: @escaping @Sendable (Database, OutboxRow) throws -> OutboxRow
    ) async throws -> OutboxRow {
        let (key, account, path) = ("\(id)", account, outbox.file.path)
        let row = try await outbox.file.access { database in
            try change(database, database.decidable(key, of: account, path: path))
        }
        changed(kinds: [])
        wakeSenders()
        return row
    }

    /// Notifies the stores, so that they show an operation again that they had removed.
    private func reviveRecords(of row: OutboxRow) {
        if row.change != nil { changed(kinds: [row.entry.kind]) }
    }

    /// Asks the closures of the app about operations that are parked.
    private func decideParked() async {
        // One at a time, because a second answer would be about a former state.
        guard content.withLock({ $0.decisions.request() }) else { return }
        repeat { await askAboutParked() } while content.withLock({ $0.decisions.finish() })
    }

    private func askAboutParked() async {
        let (reviews, resolvers) = content.withLock { ($0.reviews, $0.resolvers) }
        guard !(reviews.isEmpty && resolvers.isEmpty), let all = try? await operations(limit: .max) else { return }
        for operation in all {
            switch operation.state {
            case .needsReview:
                guard let review = reviews[operation.kind] else { continue }
                switch try? await review(operation) {
                case .carriedOut: try? await confirm(operation.id)
                case .notCarriedOut: try? await retry(operation.id, isUnsent: true)
                case .unknown, nil: break
                }
            case .conflict:
                try? await resolvers[operation.kind]?(operation)
            case .queued, .sending, .waitingForLogIn, .waitingForUpdate, .dead: break
            }
        }
    }

    /// Removes an operation that the server has carried out, as a question to it has shown.
    private func confirm(_ id: IdempotencyKey) async throws {
        let (key, account, path) = ("\(id)", account, outbox.file.path)
        try await outbox.file.access { [outbox] database in
            try database.confirm(database.decidable(key, of: account, path: path))
            outbox.endHere([key])
        }
        outbox.removeTicket(key)?.finish(.success(nil))
        changed(kinds: [])
        wakeSenders()
    }
}

/// Whether the server has carried out an operation.
public enum OutboxReview: Hashable, Sendable {
    /// The operation is confirmed.
    case carriedOut
    /// The operation is sent again.
    case notCarriedOut
    /// The user decides.
    case unknown
}

// MARK: - Notifications

extension AccountOutbox {
    /// Calls `call`, as long as it exists, whenever changes of a kind were added or are shown
    /// again.
    func listen(to kind: String, _ call: OwnerCall) {
        content.withLock { content in
            content.listeners.removeAll { $0.call == nil }
            content.listeners.append(Listener(kind: kind, call: call))
        }
    }

    /// Has the IDs that the server gives to created records read by `alias`.
    func useAlias(of kind: OutboxKind, _ alias: @escaping OutboxAlias) {
        sender.aliases.withLock { $0[kind.name] = alias }
    }

    /// Notifies the observers after a change by others.
    func refreshAll() { changed(kinds: []) }

    func report(_ event: OutboxEvent) { onEvent(event) }

    /// Notifies the observers of all objects of this account.
    private func changed(kinds: Set<String>) {
        for mine in outbox.accounts(named: account) {
            mine.refresh()
            if kinds.isEmpty { continue }
            let calls = mine.content.withLock { content in
                content.listeners.compactMap { kinds.contains($0.kind) ? $0.call : nil }
            }
            OwnerCall.callAll(calls)
        }
    }

    /// Reads the status again; at most one such read is under way.
    private func refresh() {
        let mayStart = content.withLock { content in
            // Without observers, nothing is read.
            (content.isObserved || content.isListed || !content.watchers.isEmpty) && content.refresh.request()
        }
        if mayStart { readStatus() }
    }

    private func readStatus() {
        let (account, isListed) = (account, content.withLock { $0.isListed })
        let limit = isListed ? Self.listedOperations : 0
        let isObserved = content.withLock { $0.isObserved }
        Task { [weak self, outbox] in
            let start = ContinuousClock.now
            let read = try? await outbox.file.access { database in
                let rows = limit == 0 ? [] : try database.operations(of: account, limit: limit)
                let status = isObserved ? try database.status(of: account) : .empty
                return (status, rows.compactMap(\.operation))
            }
            // Counting many operations takes long. Sending them comes first.
            let duration = start.duration(to: .now)
            if duration > .milliseconds(5) { try? await Task.sleep(for: duration * 10) }
            self?.finishRefresh(read)
        }
    }

    private func finishRefresh(_ read: (OutboxStatus, [OutboxOperation])?) {
        let (mustRefresh, watchers) = content.withLock { content in
            if let read { (content.status, content.operations) = read }
            return (content.refresh.finish(), Array(content.watchers.values))
        }
        changes.publish()
        for watcher in watchers { watcher.yield() }
        if mustRefresh { readStatus() }
    }
}

/// An operation that is on the disk.
///
/// It may be released; the operation is sent all the same.
public struct SavedOperation<Response: Sendable>: Identifiable, Sendable {
    /// The key of the operation.
    public let id: IdempotencyKey
    let ticket: OutboxTicket
    let decode: @Sendable (ServerReply) throws -> Response

    /// Suspends until the server has confirmed the operation.
    ///
    /// Cancelling the task ends the wait, and not the operation.
    ///
    /// - Returns: The response; `nil` if another process has received it.
    /// - Throws: ``OutboxFailure`` if the operation is not sent without a decision of the user. The
    ///   error of decoding if the response has another form; the server has carried out the
    ///   operation then. `CancellationError` if the task is cancelled.
    public func response() async throws -> Response? {
        try await ticket.reply().map(decode)
    }
}

/// The observers of an account's operations.
private final class OutboxChanges: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Used for its key path only.
    private var value: Void { () }

    func observe() {
        registrar.access(self, keyPath: \.value)
    }

    func publish() {
        notify()
        // Observation registers an observer after it has read the values. On the main actor both
        // happen in one job, so the observers there are notified once more after that job.
        Task { @MainActor in self.notify() }
    }

    private func notify() {
        registrar.withMutation(of: self, keyPath: \.value) {}
    }
}

/// Work that runs once at a time, and once more if it is requested while it runs.
private struct RepeatedWork: Sendable {
    private var isRunning = false
    private var mustRepeat = false

    /// Notes a request, and returns whether the caller must start the work.
    mutating func request() -> Bool {
        mustRepeat = isRunning
        defer { isRunning = true }
        return !isRunning
    }

    /// Notes the end of the work, and returns whether the caller must repeat it.
    mutating func finish() -> Bool {
        isRunning = mustRepeat
        defer { mustRepeat = false }
        return mustRepeat
    }
}
