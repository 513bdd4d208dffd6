internal import BackplaneConcurrency
public import Observation

/// An observable list that loads its items page by page.
///
/// ```swift
/// let messages = PagedLoader<String, Message> { cursor in
///     let answer = try await api.messages(after: cursor)
///     return Page(answer.messages, next: answer.nextCursor)
/// }
/// messages.load()
/// ```
///
/// A list holds IDs, and its items are records of its ``RecordStore``. So a change of an item is
/// visible everywhere at once, whether this list, another list of the store or a ``Loader`` made
/// it. A page that lands during a mutation neither hides the change nor brings back a deleted item:
/// see <doc:OptimisticMutation>.
///
/// **Isolation.** Like a ``Loader``, a list is not `Sendable`. It belongs to the actor that uses
/// it, and learns that actor from ``load(isolation:)``. Its closure, its items and all its changes
/// stay on that actor. If you form the closure outside any actor, write it without a capture list.
///
/// **Order.** The state has changed when a method returns. If a new load of the list starts while a
/// page is under way, that page is dropped. If the list has moved between two pages and an item
/// arrives twice, it is shown once, at its first place.
///
/// **Lifetime.** When a list is deallocated, its load is cancelled; its mutations continue.
///
/// **Cancellation.** `CancellationError` is never a failure: the state returns to the state before
/// the load.
public final class PagedLoader<Cursor, Item: Identifiable>: Observable {
    typealias Machine = PageStateMachine<Cursor, Item.ID>

    private let operation: (Cursor?) async throws -> Page<Cursor, Item>
    private let store: RecordStore<Item.ID, Item>
    private let insertsInOrder: Bool
    private let changes = ChangeCount()
    private(set) var machine: Machine
    private weak var owner: (any Actor)?
    /// Whether the list was ever told to load in this session.
    private var hasOwner = false
    private var task: Task<Void, Never>?
    /// The time since the last list landed.
    private var age: (() -> Duration)?
    /// Whether a change of this turn must be published.
    private var isChanged = false
    /// The items, if they were read since the last change.
    private var cachedItems: [Item]?
    /// Whether a page is being merged into the records, so that their changes count as one.
    private var isMerging = false
    /// The settlement after which the list must reload a record, when nothing is pending.
    private var awaitedSettlement: Int?
    /// The callers that wait for the load to end; created by the first of them.
    private var waiters: Waiters?

    /// Creates an empty list that has not been loaded.
    ///
    /// - Parameters:
    ///   - store: the store for its items; lists and loaders with the same store share them. By
    ///     default the list has a private store, which keeps an item while it is in the list or a
    ///     mutation of it is not settled.
    ///   - insertsInOrder: whether an insertion is sent only after the earlier insertions of the
    ///     list are settled, so that the server receives the items in the user's order. By default,
    ///     insertions are sent at once and independently.
    ///   - load: loads the page at a cursor, or the first page for `nil`; called on the list's
    ///     actor, one call at a time.
    public init(
        store: RecordStore<Item.ID, Item>? = nil,
        insertsInOrder: Bool = false,
        _ load: @escaping (Cursor?) async throws -> Page<Cursor, Item>
    ) {
        let store = store ?? .ofItsOwn(identity: \.id)
        self.store = store
        self.insertsInOrder = insertsInOrder
        operation = load
        machine = Machine(logicalClock: store.logicalClock, holdsPages: store.identity != nil)
        store.add(self)
    }

    deinit { task?.cancel() }
}

// MARK: - Visible state

extension PagedLoader {
    /// The items of the list with pending mutations applied, without deleted items; observable.
    public var items: [Item] {
        changes.observe()
        if let cachedItems { return cachedItems }
        let items = machine.ids.compactMap(store.value)
        if !store.logicalClock.isFolding { cachedItems = items }
        return items
    }

    /// The IDs of ``items``, in order; observable.
    public var ids: [Item.ID] {
        changes.observe()
        return machine.ids.filter { store.value(of: $0) != nil }
    }

    /// The state of the list; observable.
    ///
    /// Loaded items stay visible while the list is loaded again, and after that load has failed.
    public var state: LoadState<[Item]> {
        let items = items
        let previous = machine.hasLoaded || !items.isEmpty ? items : nil
        if machine.isLoading { return .loading(previous: previous) }
        if let error = machine.error { return .failed(error, previous: previous) }
        return previous.map { .loaded($0) } ?? .idle
    }

    /// Whether a next page exists, as far as is known; observable.
    public var hasMore: Bool {
        changes.observe()
        return machine.hasMore
    }

    /// Whether the load that ``state`` shows, running or failed, is a load of the next page;
    /// observable.
    ///
    /// A screen shows the progress and the error of such a load at the end of the list, and those
    /// of a new list at its start.
    public var isPaging: Bool {
        changes.observe()
        return machine.isPaging
    }

    /// Returns the mutations of an item: failed ones that were not dismissed, then unsettled ones
    /// in order; observable.
    ///
    /// The failed insertion of an item that has left the list is among them.
    public func pending(of id: Item.ID) -> [PendingMutation] {
        changes.observe()
        return store.existing(id)?.pending ?? []
    }

    private func publish() {
        if !isChanged {
            isChanged = true
            store.note(self)
        }
        if !machine.isLoading { waiters?.resumeAll() }
    }
}

// MARK: - Loading

extension PagedLoader {
    /// Loads the first page on the caller's actor.
    ///
    /// A load of the first page that is under way is joined, and a load of another page is
    /// superseded. The existing list stays visible until the first page of the new list has landed.
    /// If the store considers the list fresh, no load starts.
    ///
    /// Code whose actor the compiler does not know passes its actor to ``load(on:)``.
    ///
    /// - Parameter isolation: the actor to load on; leave it to its default.
    public func load(isolation: isolated any Actor = #isolation) {
        load(on: isolation)
    }

    /// Loads the first page on `owner`, as ``load(isolation:)`` does.
    ///
    /// - Parameter owner: the actor that the caller is running on.
    /// - Precondition: the caller is running on `owner`.
    public func load(on owner: any Actor) {
        self.owner = owner
        hasOwner = true
        if !isFresh, machine.replacement == nil { start(.first) }
    }

    /// Loads the page after the loaded pages, on the actor of the last load.
    ///
    /// Does nothing while a load is under way, at the end of the list, and before the first page
    /// has landed. So you can call it whenever the last item becomes visible. After a failure it
    /// tries again.
    public func loadMore() {
        start(.more)
    }

    /// Loads the list again from its first page, on the actor of the last load; does nothing if it
    /// was never loaded.
    ///
    /// A load that is under way is superseded. The old list stays visible until the first page of
    /// the new list has landed.
    public func reload() {
        start(.first)
    }

    /// Repeats the load that failed last, of a new list or of the next page; otherwise does
    /// nothing.
    public func retry() {
        guard !machine.isLoading, let purpose = machine.failedPurpose else { return }
        start(purpose)
    }

    /// Cancels the current load and returns to the state before it; does nothing if no load is
    /// under way.
    public func cancel() {
        guard machine.isLoading else { return }
        task?.cancel()
        task = nil
        machine.cancel()
        publish()
    }

    /// Suspends until the current load has landed, failed or been cancelled.
    ///
    /// Returns at once if no load is under way. If the waiting task is cancelled, the wait ends and
    /// the load continues. Any number of callers may wait.
    public func settled() async {
        guard machine.isLoading else { return }
        let waiters = waiters ?? Waiters()
        self.waiters = waiters
        await waiters.wait()
    }

    private var isFresh: Bool {
        guard let limit = store.options.staleAfter, let age, machine.error == nil else { return false }
        return age() < limit
    }

    private func start(_ purpose: Machine.Purpose) {
        guard hasOwner else { return }
        guard let owner else {
            preconditionFailure("The actor of a list's last load is gone. Call load() on the current actor.")
        }
        guard let request = machine.begin(purpose) else { return }
        store.turn {
            task?.cancel()
            run(request, on: owner)
            publish()
        }
    }

    private func run(_ request: Machine.Request, on owner: any Actor) {
        let operation = operation
        let (options, session) = (store.options, Session(store.logicalClock))
        let list = WeakReference(self)
        // Captured by name, not in a capture list, and detached: see `Record`.
        task = startDetachedTask(on: owner) {
            let result: Result<Page<Cursor, Item>, any Error>
            do {
                result = .success(
                    try await options.loadRetries.run(on: options.clock, unless: options.isRejection) {
                        // A14: A load that is superseded, cancelled or of a former session must not
                        // call the closure.
                        try session.check()
                        if let store = list.object?.store, store.restoresChanges {
                            await store.restored(on: owner)
                            try session.check()
                        }
                        return try await operation(request.cursor)
                    }
                )
            } catch {
                result = .failure(error)
            }
            list.object?.hear(request, with: result, on: owner)
        }
    }

    private func hear(
        _ request: Machine.Request,
        with result: Result<Page<Cursor, Item>, any Error>,
        on owner: any Actor
    ) {
        // A page of an older generation does not land, even if its closure ignores cancellation.
        guard machine.isCurrent(request) else { return }
        // The handle of an ended task keeps the task's memory.
        task = nil
        store.turn { finish(request, with: result, on: owner) }
    }

    private func finish(
        _ request: Machine.Request,
        with result: Result<Page<Cursor, Item>, any Error>,
        on owner: any Actor
    ) {
        switch result {
        case .success(let page):
            let ids = page.items.map { store.currentID(of: $0.id) }
            let isReplacement = machine.replacement != nil
            expectRecordsBeingMade()
            let following = machine.finish(request, with: ids, next: page.next)
            merge(page.items, of: request.load)
            if let following {
                run(following, on: owner)
            } else {
                // An appended page does not make the earlier pages younger.
                if isReplacement { age = store.options.stopwatch() }
                store.releaseUnused()
            }
        case .failure(is CancellationError): machine.cancel()
        case .failure(let error): machine.fail(request, error)
        }
        publish()
        reloadIfDue()
    }

    /// A10: Compares each item with its own record.
    private func merge(_ items: [Item], of load: LoadStamp) {
        isMerging = true
        defer { isMerging = false }
        for item in items { store.record(item.id).merge(item, of: load) }
    }

    /// A9: Starts one load for all records that must be reloaded, when no item of the list has
    /// pending mutations.
    private func reloadIfDue() {
        guard !isMerging, let awaitedSettlement,
            !store.pendingRecords.contains(where: { $0.isSendOpen && contains($0.id) })
        else { return }
        self.awaitedSettlement = nil
        // A list load that began after the settlement is already under way, so no other load is
        // needed.
        if let replacement = machine.replacement, replacement > awaitedSettlement { return }
        start(.refresh)
    }
}

// MARK: - Mutations

extension PagedLoader {
    /// Changes an item at once, sends the mutation to the server, and suspends until the server
    /// accepts or rejects it.
    ///
    /// All guarantees of ``Loader/mutate(_:)`` apply. If the server accepts a change without
    /// sending a value back, the list is loaded again when nothing is pending. This reload covers
    /// as many items as are loaded, so that no item disappears. After a deletion the list is not
    /// reloaded, so the cursor of the next page should not depend on the number of items before it.
    ///
    /// - Throws: ``FeatureError``, as ``Loader/mutate(_:)`` does; `notLoaded` if the list's store
    ///   has no such item. `CancellationError` if the caller is cancelled.
    public func mutate(_ mutation: Mutation<Item>, of id: Item.ID) async throws {
        try await ticket(for: mutation, of: id).outcome()
    }

    /// Changes an item at once and sends the mutation, as ``mutate(_:of:)`` does, but does not
    /// wait: see ``Loader/enqueue(_:)``.
    ///
    /// - Throws: ``FeatureError`` with `notLoaded` if the list's store has no such item.
    public func enqueue(_ mutation: Mutation<Item>, of id: Item.ID) throws {
        _ = try ticket(for: mutation, of: id)
    }

    /// Changes an item at once, and sends the change as the list's store does, without a wait: see
    /// ``Loader/enqueue(_:label:after:)``.
    ///
    /// - Throws: ``FeatureError`` with `notLoaded` if the list's store has no such item, or with
    ///   `noSender` if the store cannot send changes of this type.
    public func enqueue(
        _ change: some RecordChange<Item>,
        of id: Item.ID,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = []
    ) throws {
        let options = MutationOptions<Item>(label: label, dependencies: dependencies)
        try enqueue(store.mutation(for: change, of: id, options: options), of: id)
    }

    private func ticket(for mutation: Mutation<Item>, of id: Item.ID) throws -> MutationTicket {
        guard let owner, let record = store.existing(id), record.isKnown else {
            throw FeatureError.unknownItem(mutation.id, label: mutation.label)
        }
        return record.mutate(mutation, on: owner)
    }

    /// Creates an item that is visible at once at the start of the list, and sends the mutation, as
    /// ``mutate(_:of:)`` does.
    ///
    /// The list shows the item exactly once, for any loads in the meantime. The item stays at the
    /// start until a list lands that was requested after the server created the item; that list
    /// decides the place of the item. If the server refuses, the item disappears.
    ///
    /// **Order.** In a list with `insertsInOrder`, the mutation is sent after the earlier
    /// insertions of the list are settled, whatever their outcomes. So it waits while the outcome
    /// of one of them is unknown. If automatic resends of that one have stopped, it is resent now.
    ///
    /// **IDs from the server.** If the item in the response has another ID, the item takes that ID
    /// and can be found by both IDs: see ``currentID(of:)``. Until the response arrives, a page may
    /// already contain the item under its new ID. So every list of the store sets such pages aside
    /// until then. A store without `identity` treats IDs as final and sets nothing aside.
    ///
    /// - Parameters:
    ///   - item: the item, with an ID that is created on the device, such as a UUID.
    ///   - label: the name of the mutation in ``pending(of:)``.
    ///   - send: sends the mutation to the server; called again with the same key until the outcome
    ///     is known.
    ///   - confirming: returns the item from the result of `send`, or `nil` if the result does not
    ///     contain it; without it the list is loaded again. A server that replaces IDs must send
    ///     the item back, because otherwise its new ID is unknown.
    /// - Throws: the errors of ``mutate(_:of:)``; `notLoaded` if the list was never told to load.
    public func insert<Response>(
        _ item: Item,
        label: String? = nil,
        send: @escaping (IdempotencyKey) async throws -> Response,
        confirming: @escaping (Response) -> Item? = { _ in nil }
    ) async throws {
        let mutation = Mutation.replace(with: item, label: label, send: send, confirming: confirming)
        try await insertion(of: item.id, by: mutation).outcome()
    }

    /// Creates an item that is visible at once at the start of the list, and sends the change as
    /// the list's store does, without a wait.
    ///
    /// The intent of the change must be ``Intent/replace(_:)`` with the new item. The guarantees of
    /// ``insert(_:label:send:confirming:)`` apply.
    ///
    /// ```swift
    /// try messages.insert(SendMessage(message))
    /// ```
    ///
    /// - Throws: ``FeatureError`` with `notLoaded` if the list was never told to load, or with
    ///   `noSender` if the store cannot send changes of this type.
    /// - Returns: the ID of the mutation.
    @discardableResult
    public func insert(_ change: some RecordChange<Item>, label: String? = nil) throws -> IdempotencyKey {
        guard case .replace(let item) = change.intent else {
            preconditionFailure("A change that is inserted into a list has the intent `replace` with the new item.")
        }
        let mutation = try store.mutation(for: change, of: item.id, options: MutationOptions<Item>(label: label))
        _ = try insertion(of: item.id, by: mutation)
        return mutation.id
    }

    private func insertion(of id: Item.ID, by mutation: Mutation<Item>) throws -> MutationTicket {
        guard let owner else { throw FeatureError.unknownItem(mutation.id, label: mutation.label) }
        return store.turn {
            let record = store.record(id)
            let earlier = insertsInOrder ? machine.openInsertion.flatMap(store.existing) : nil
            if earlier != nil {
                for record in Array(store.pendingRecords) where machine.insertion(of: record.id) != nil {
                    record.endStall()
                }
            }
            machine.insert(record.id, by: mutation.id)
            record.isMade(by: mutation.id, after: earlier)
            return record.mutate(mutation, on: owner)
        }
    }

    /// Returns the current ID of an item, as ``RecordStore/currentID(of:)`` does.
    public func currentID(of id: Item.ID) -> Item.ID { store.currentID(of: id) }

    /// Resends every unconfirmed mutation of the list's items immediately and resets its retries.
    public func retryPending() {
        store.sender?.unfinished?.resume()
        store.turn {
            for record in Array(store.pendingRecords) where contains(record.id) { record.retryPending() }
        }
    }

    /// Removes a failed mutation from the item's ``pending(of:)``, after the user has seen it, as
    /// ``Loader/dismiss(_:)`` does.
    public func dismiss(_ mutation: PendingMutation.ID, of id: Item.ID) {
        store.turn {
            store.existing(id)?.dismiss(mutation)
            // The item of a rejected insertion is not on the list, but its failure is observed.
            publish()
        }
    }
}

extension PagedLoader: StoreObserver {
    func forget() {
        isChanged = false
        cachedItems = nil
    }

    func tell() { changes.publish() }
}

extension PagedLoader: RecordList {
    func contains(_ id: Item.ID) -> Bool { machine.contains(id) }

    func needs(_ id: Item.ID) -> Bool { machine.needs(id) }

    func rename(_ old: Item.ID, to new: Item.ID) { machine.rename(old, to: new) }

    func restoreInsertion(of id: Item.ID, by mutation: IdempotencyKey) {
        machine.insert(id, by: mutation)
    }

    func recordHasChanged(_ id: Item.ID) {
        guard !isMerging else { return }
        let isConcerned = contains(id) || machine.isHolding
        if machine.isHolding { expectRecordsBeingMade() }
        settleInsertion(of: id)
        guard isConcerned else { return }
        publish()
        reloadIfDue()
    }

    /// Notes which records may be on the server without their IDs from the server being known.
    private func expectRecordsBeingMade() {
        machine.expectOthers(store.isMaking)
        machine.noteUnsent { id in store.existing(id)?.isCreationUnsent == true }
    }

    private func settleInsertion(of id: Item.ID) {
        guard let mutation = machine.insertion(of: id), let record = store.existing(id), !record.isPending(mutation)
        else { return }
        machine.settleInsertion(of: id, isMade: !record.hasFailed(mutation))
    }

    func expectReload(after settlement: Int) {
        awaitedSettlement = max(awaitedSettlement ?? 0, settlement)
        reloadIfDue()
    }

    func refresh() {
        if !isFresh { expectReload(after: 0) }
    }

    func beginEpoch() {
        task?.cancel()
        machine.beginEpoch()
        // The list does not reload on its own until a caller loads it in the new session.
        (owner, hasOwner) = (nil, false)
        age = nil
        awaitedSettlement = nil
        publish()
    }
}
