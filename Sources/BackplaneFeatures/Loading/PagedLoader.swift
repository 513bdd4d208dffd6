internal import BackplaneConcurrency
public import Observation

/// Loads a list page by page, and keeps what there is to show of it.
///
/// ```swift
/// let messages = PagedLoader<String, Message> { cursor in
///     let answer = try await api.messages(after: cursor)
///     return Page(answer.messages, next: answer.nextCursor)
/// }
/// messages.load()
/// ```
///
/// A list holds IDs; the items are records of its ``RecordStore``. So an item that is changed by ``mutate(_:of:)`` here, or by
/// a ``Loader`` or another list of the store, shows the change everywhere at once, and a page that lands at an unlucky moment
/// hides no change and brings back nothing that was deleted: see <doc:OptimisticMutation>.
///
/// **Isolation.** Like a ``Loader``, a list is not `Sendable`: it belongs to the actor it is used on, which it learns from
/// ``load(isolation:)``, and its closure, its items and all its changes stay there. Write a closure that is formed outside any
/// actor without a capture list.
///
/// **Order.** The state has changed when a method returns. A page of a list that has been loaded anew since it was asked for
/// is dropped. An item that comes twice, because the list has moved between two pages, stands once, where it came first.
///
/// **Lifetime.** A list that goes away cancels its load; mutations go on.
///
/// **Cancellation.** `CancellationError` is never a failure: the state goes back to what it was before the load.
public final class PagedLoader<Cursor, Item: Identifiable>: Observable {
    typealias Machine = PageStateMachine<Cursor, Item.ID>

    private let operation: (Cursor?) async throws -> Page<Cursor, Item>
    private let store: RecordStore<Item.ID, Item>
    private let changes = ChangeCount()
    private(set) var machine: Machine
    private weak var owner: (any Actor)?
    /// Whether it has ever had one.
    private var hasOwner = false
    private var task: Task<Void, Never>?
    /// How long ago the last list landed.
    private var age: (() -> Duration)?
    /// Whether observers are to be told of a change.
    private var isChanged = false
    /// The items, if they have been asked for since the last change.
    private var cachedItems: [Item]?
    /// Whether a page is being handed to the records, whose changes are then one.
    private var isMerging = false
    /// The settlement that a record is to be loaded after, as soon as nothing is pending.
    private var awaitedSettlement: Int?
    /// Who waits for the load to end; made when somebody does.
    private var waiters: Waiters?

    /// An empty list, at rest.
    ///
    /// - Parameters:
    ///   - store: where its items are kept; lists and loaders with the same one share them. By default one of its own, which
    ///     keeps an item as long as it is in the list or a mutation of it is not settled.
    ///   - load: brings the page that begins at a cursor, the first page for nil; called on the list's actor, one at a time.
    public init(
        store: RecordStore<Item.ID, Item>? = nil,
        _ load: @escaping (Cursor?) async throws -> Page<Cursor, Item>
    ) {
        let store = store ?? .ofItsOwn(identity: \.id)
        self.store = store
        operation = load
        machine = Machine(counter: store.counter, holdsPages: store.identity != nil)
        store.add(self)
    }

    deinit { task?.cancel() }
}

// MARK: - What there is to show

extension PagedLoader {
    /// The items of the list, with the mutations that are not settled, and without those that are not there; observable.
    public var items: [Item] {
        changes.observe()
        if let cachedItems { return cachedItems }
        let items = machine.ids.compactMap(store.value)
        if !store.counter.isFolding { cachedItems = items }
        return items
    }

    /// The IDs of ``items``, in order; observable.
    public var ids: [Item.ID] {
        changes.observe()
        return machine.ids.filter { store.value(of: $0) != nil }
    }

    /// How the list is doing; observable.
    ///
    /// Items once loaded stay while the list is loaded again, and after that has failed.
    public var state: LoadState<[Item]> {
        let items = items
        let previous = machine.hasLoaded || !items.isEmpty ? items : nil
        if machine.isLoading { return .loading(previous: previous) }
        if let error = machine.error { return .failed(error, previous: previous) }
        return previous.map { .loaded($0) } ?? .idle
    }

    /// Whether there is a page after those that are there, as far as is known; observable.
    public var hasMore: Bool {
        changes.observe()
        return machine.hasMore
    }

    /// The mutations of an item that are not settled, in order, after those that failed and were not dismissed; observable.
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
    /// A load of the first page that is under way is joined; the load of another page is superseded. A list that is there
    /// stays until the first page of the new one has landed. One that the store takes for fresh is not loaded again.
    ///
    /// Code whose actor the compiler does not know says which actor it is on with ``load(on:)``.
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

    /// Loads the page after those that are there, on the actor of the last load.
    ///
    /// Does nothing while a load is under way, at the end of the list and before its first page has landed, so that it may be
    /// called whenever the last item comes into view. After a failure it tries again.
    public func loadMore() {
        start(.more)
    }

    /// Loads the list anew from its first page, on the actor of the last load; does nothing if it has never been loaded.
    ///
    /// A load that is under way is superseded. The old list stays until the first page of the new one has landed.
    public func reload() {
        start(.first)
    }

    /// Loads again what has failed to load last, a new list or the next page; does nothing otherwise.
    public func retry() {
        guard !machine.isLoading, let purpose = machine.failedPurpose else { return }
        start(purpose)
    }

    /// Cancels the load under way and goes back to the state before it; does nothing at rest.
    public func cancel() {
        guard machine.isLoading else { return }
        task?.cancel()
        machine.cancel()
        publish()
    }

    /// Suspends while a load is under way, until one has landed, failed or been cancelled.
    ///
    /// Returns at once when there is none, and when the waiting task is cancelled, which leaves the load alone. Any number of
    /// callers may wait.
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
            preconditionFailure("The actor that a list's last load ran on is gone. Call load() on the present one.")
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
        let (options, session) = (store.options, Session(store.counter))
        let list = WeakReference(self)
        // Captured by name, not in a capture list, and detached: see `Record`.
        task = startDetachedTask(on: owner) {
            let result: Result<Page<Cursor, Item>, any Error>
            do {
                result = .success(
                    try await options.loadRetries.run(on: options.clock, unless: options.isRejection) {
                        // A14: superseded, cancelled or of another session by now, it need not reach the closure.
                        try session.check()
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
            machine.expectOthers(store.isMaking)
            let following = machine.finish(request, with: ids, next: page.next)
            merge(page.items, of: request.load)
            if let following {
                run(following, on: owner)
            } else {
                // A page that is appended makes those before it no younger.
                if isReplacement { age = store.options.stopwatch() }
                store.releaseUnused()
            }
        case .failure(is CancellationError): machine.cancel()
        case .failure(let error): machine.fail(request, error)
        }
        publish()
        reloadIfDue()
    }

    /// A10: each item is judged against its own record.
    private func merge(_ items: [Item], of load: LoadStamp) {
        isMerging = true
        defer { isMerging = false }
        for item in items { store.record(item.id).merge(item, of: load) }
    }

    /// A9: one load for all records that are to be loaded again, when nothing of the list is pending.
    private func reloadIfDue() {
        guard !isMerging, let awaitedSettlement, !store.pendingRecords.contains(where: { contains($0.id) }) else {
            return
        }
        self.awaitedSettlement = nil
        // One that is under way will do, if it began after that.
        if let replacement = machine.replacement, replacement > awaitedSettlement { return }
        start(.refresh)
    }
}

// MARK: - Mutations

extension PagedLoader {
    /// Changes an item at once, tells the server, and suspends until the server has said yes or no.
    ///
    /// Everything that ``Loader/mutate(_:)`` says holds for it. The list is loaded again when nothing is pending, if the server
    /// has sent no value back for a change; as much of it as is there, so that nothing disappears. After a deletion it is not: where
    /// the next page begins should not depend on how many items are before it.
    ///
    /// - Throws: ``FeatureError``, as ``Loader/mutate(_:)`` does; `notLoaded` if the list's store knows of no such item.
    ///   `CancellationError` when the caller is cancelled.
    public func mutate(_ mutation: Mutation<Item>, of id: Item.ID) async throws {
        try await ticket(for: mutation, of: id).outcome()
    }

    /// Changes an item at once and tells the server, as ``mutate(_:of:)`` does, and does not wait: see ``Loader/enqueue(_:)``.
    ///
    /// - Throws: ``FeatureError`` with `notLoaded` if the list's store knows of no such item.
    public func enqueue(_ mutation: Mutation<Item>, of id: Item.ID) throws {
        _ = try ticket(for: mutation, of: id)
    }

    private func ticket(for mutation: Mutation<Item>, of id: Item.ID) throws -> MutationTicket {
        guard let owner, let record = store.existing(id), record.isKnown else {
            throw FeatureError.unknownItem(mutation.id, label: mutation.label)
        }
        return record.mutate(mutation, on: owner)
    }

    /// Makes an item that shows at once at the start of the list, and tells the server, as ``mutate(_:of:)`` does.
    ///
    /// The item is in the list once, whatever lands in the meantime, until a list has been loaded that began after the server
    /// made it, and that knows better where it belongs. If the server refuses, it is gone.
    ///
    /// If the item in the server's answer has another ID, it has that from then on, and answers to both: see
    /// ``currentID(of:)``. Until the answer is there, nobody knows whether a page has the item under that ID already; such a
    /// page is kept aside until then, in every list of the store. A store that has no `identity` takes IDs to be final, and
    /// keeps nothing aside.
    ///
    /// - Parameters:
    ///   - item: the item, with an ID that is made here: a UUID, say.
    ///   - label: what the mutation is called in ``pending(of:)``.
    ///   - send: tells the server; called with the key again until the outcome is known.
    ///   - confirming: the item in what `send` returned, if it is there; without it the list is loaded again. A server that gives
    ///     items other IDs has to send the item back, or nobody knows which it is.
    /// - Throws: what ``mutate(_:of:)`` throws; `notLoaded` if the list has never been told to load.
    public func insert<Reply>(
        _ item: Item,
        label: String? = nil,
        send: @escaping (IdempotencyKey) async throws -> Reply,
        confirming: @escaping (Reply) -> Item? = { _ in nil }
    ) async throws {
        let mutation = Mutation.replace(with: item, label: label, send: send, confirming: confirming)
        guard let owner else { throw FeatureError.unknownItem(mutation.id, label: label) }
        let ticket = store.turn {
            let record = store.record(item.id)
            machine.insert(record.id, by: mutation.id)
            record.isMade(by: mutation.id)
            return record.mutate(mutation, on: owner)
        }
        try await ticket.outcome()
    }

    /// The ID that an item has now, as ``RecordStore/currentID(of:)`` has it.
    public func currentID(of id: Item.ID) -> Item.ID { store.currentID(of: id) }

    /// Sends again, without waiting longer, every mutation of the list's items of which it is not known what became.
    public func retryPending() {
        store.turn {
            for record in Array(store.pendingRecords) where contains(record.id) { record.retryPending() }
        }
    }

    /// Removes a mutation that failed from the item's ``pending(of:)``: the person has seen it.
    public func dismiss(_ mutation: PendingMutation.ID, of id: Item.ID) {
        store.existing(id)?.dismiss(mutation)
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

    func recordHasChanged(_ id: Item.ID) {
        guard !isMerging else { return }
        let isConcerned = contains(id) || machine.isHolding
        if machine.isHolding { machine.expectOthers(store.isMaking) }
        settleInsertion(of: id)
        guard isConcerned else { return }
        publish()
        reloadIfDue()
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
        // Until somebody asks for it nothing brings it back by itself.
        (owner, hasOwner) = (nil, false)
        age = nil
        awaitedSettlement = nil
        publish()
    }
}
