internal import BackplaneConcurrency
public import BackplaneFeatures
public import BackplaneNetworking
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
/// After this user has signed out, nothing is sent. If another user signs in without a sign-out,
/// call ``stop()`` before (D24). After the session has expired, the operations wait. When the same
/// user has signed in again, call ``resume()``.
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
    struct Content: Sendable {
        var status = OutboxStatus.empty
        var operations: [OutboxOperation] = []
        /// Whether anybody has read the operations, so that they are kept up to date.
        var isListed = false
        /// Whether anybody has read the status, so that it is kept up to date.
        var isObserved = false
        var refresh = RepeatedWork()
        /// The questions to the closures of the app, by kind.
        var decisions: [String: RepeatedWork] = [:]
        /// The callers that look again after each change.
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0
        var listeners: [Listener] = []
        /// The closures of the app that decide about parked operations, by kind and state.
        var deciders: [String: [DeliveryState: @Sendable (OutboxOperation) async throws -> Void]] = [:]
    }

    /// A store that shows changes of a kind.
    struct Listener: Sendable {
        let kind: String
        weak var call: OwnerCall?
        weak var store: StorePresence?
    }

    /// The largest number of operations in ``operations``.
    static let listedOperations = 100

    /// The account of the operations.
    public let account: String
    let outbox: Outbox
    let controller: AuthenticatedNetworkController
    let onEvent: @Sendable (OutboxEvent) -> Void
    let content = Locked(Content())
    let changes = SharedChanges()
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
        let (sender, outbox, account) = (sender, outbox, account)
        // Another object may send at once, as after the end of a process.
        sender.holder.end()
        Task {
            await sender.stop(order: .max)
            outbox.forgetAccount(account, sentBy: sender)
        }
    }

    // MARK: The contents of the file

    /// The operations in numbers; observable.
    ///
    /// The first access returns a status without operations. The numbers arrive later, as a change.
    public var status: OutboxStatus {
        changes.observe()
        let (status, isFirst) = content.withLock { content in
            defer { content.isObserved = true }
            return (content.status, !content.isObserved)
        }
        if isFirst { refresh() }
        return status
    }

    /// Reads the operations in numbers from the file.
    ///
    /// Use it for a decision, such as the question before a sign-out, because ``status`` changes a
    /// moment later.
    ///
    /// ```swift
    /// if try await mine.readStatus().total > 0 { askWhetherToKeep() }
    /// ```
    ///
    /// The numbers contain everything that was saved before the call.
    ///
    /// - Throws: ``StorageError`` with `databaseFailed`. `CancellationError` if the task is
    ///   cancelled.
    public func readStatus() async throws -> OutboxStatus {
        let account = account
        return try await outbox.file.read { transaction in try transaction.status(of: account) }
    }

    /// The oldest operations in order, at most 100; observable.
    ///
    /// The first access returns an empty array. The operations arrive later, as a change. To read
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
    public func operations(limit: Int = 100) async throws -> [OutboxOperation] {
        let account = account
        return try await outbox.file.read { transaction in
            try transaction.operations(of: account, limit: limit).compactMap(\.operation)
        }
    }

    /// Suspends until the server has confirmed all operations that need no decision of the user.
    ///
    /// The wait continues while operations wait for a sign-in, an update of the app or a network.
    /// It does not include parked operations, and operations that follow or need a parked one. An
    /// operation counts as parked until a closure of ``review(_:_:)`` or
    /// ``resolveConflicts(of:_:)`` has decided about it. So it may be queued immediately after the
    /// wait.
    ///
    /// ```swift
    /// let left = try await mine.waitUntilDrained()
    /// if left.parked > 0 { askAboutRefusals() }
    /// ```
    ///
    /// - Returns: The operations that are left: parked operations, and operations that follow or
    ///   need a parked one.
    /// - Throws: `CancellationError` if the task is cancelled. ``StorageError`` with
    ///   `databaseFailed` if the file cannot be read.
    @discardableResult
    public func waitUntilDrained() async throws -> OutboxStatus {
        let account = account
        // Watches before the first look, so that no change is missed in between.
        for await _ in watch() {
            let left = try await outbox.file.read { transaction in
                try transaction.isMoving(account) ? nil : transaction.status(of: account)
            }
            if let left { return left }
        }
        throw CancellationError()
    }

    /// Returns a sequence with an element at once and after each change.
    func watch() -> AsyncStream<Void> {
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
    /// The function does not wait for the server. The endpoint must be an `IdempotentEndpoint`,
    /// because the server then carries out a repeated request only once (D9).
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
    ///   - dependency: An operation that the server must confirm first. Save it before this one.
    ///     The outbox knows the last 10,000 confirmed operations.
    ///   - label: A text for the user, in ``operations``.
    ///   - key: The key of the operation. An operation whose key is in the file is not saved again.
    /// - Returns: The saved operation, to wait for its response.
    /// - Throws: ``StorageError`` with `notSaved`, `full` or `newerVersion`, or with
    ///   `noSuchOperation` if the dependency was never saved or was discarded. `NetworkError` if
    ///   the endpoint cannot be sent. `CancellationError` if the task was cancelled before this
    ///   call. If this function throws, the operation is not saved.
    /// - Precondition: The outbox was opened with `kind`.
    public func enqueue<Response>(
        _ endpoint: AuthenticatedIdempotentEndpoint<Response>,
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
        let new = OutboxTicket(key, survives: !outbox.file.isInMemory)
        try Task.checkCancellation()
        let ticket = try await withCheckedThrowingContinuation { saving in
            save(draft, new) { saving.resume(with: $0) }
        }
        // Keeps this object: without it, nobody sends the operation that the caller waits for.
        return SavedOperation(id: key, ticket: ticket) { reply in
            try self.controller.decode(reply, from: endpoint)
        } watch: {
            await self.outbox.watchEnd(of: "\(key)")
        }
    }

    /// Saves an operation after those that were made before it.
    ///
    /// - Parameters:
    ///   - draft: The operation.
    ///   - new: The ticket for callers that wait, unless its key is known.
    ///   - completion: Receives the ticket of the operation on the disk, or a ``StorageError``.
    func save(
        _ draft: OutboxDraft,
        _ new: OutboxTicket,
        completion: @escaping @Sendable (Result<OutboxTicket, any Error>) -> Void = { _ in }
    ) {
        outbox.file.save(byOne: outbox.statement(for: draft), outbox.insertion(of: draft)) { [outbox] error in
            if let error {
                outbox.noteUnsaved(draft)
                new.finish(.failure(error))
                if error.code == .notSaved { self.onEvent(.fileFailed(error)) }
                return completion(.failure(error))
            }
            // Not before: a call that cannot save ends no wait of another one with its key.
            let ticket = outbox.noteSaved("\(draft.id)", orAdd: new)
            // U5: The store that made the change shows it already.
            self.changed(kinds: draft.change == nil ? [] : [draft.kind.name], knownTo: ticket.isKnown(to:))
            self.wakeSenders()
            completion(.success(ticket))
        }
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

/// An operation that is on the disk.
///
/// You may release this value; the operation is sent in any case. The value keeps its
/// ``AccountOutbox``.
public struct SavedOperation<Response: Sendable>: Identifiable, Sendable {
    /// The key of the operation.
    public let id: IdempotencyKey
    let ticket: OutboxTicket
    let decode: @Sendable (ServerReply) throws -> Response
    /// Looks for an end in another process.
    let watch: @Sendable () async -> Void

    /// Suspends until the server has confirmed the operation, which any process may have sent.
    ///
    /// Cancelling the task ends the wait, and not the operation. The wait continues while the
    /// operation is in `DeliveryState.needsReview`, because its outcome is unknown. It also
    /// continues while the operation needs another one about which the user must decide.
    ///
    /// - Returns: The response. It is `nil` if another process has received the response, or if it
    ///   is only known that the operation was carried out.
    /// - Throws: ``OutboxFailure`` if the server has refused the operation. ``StorageError`` with
    ///   `noSuchOperation` if it was discarded or replaced. The error of decoding if the response
    ///   has another form; in this case, the server has carried out the operation.
    ///   `CancellationError` if the task is cancelled.
    public func response() async throws -> Response? {
        let watching = Task { [watch] in await watch() }
        defer { watching.cancel() }
        return try await ticket.reply().map(decode)
    }
}
