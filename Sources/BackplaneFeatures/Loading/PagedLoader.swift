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
/// it. If a page arrives during a mutation, it does not hide the change, and does not bring back a
/// deleted item: see <doc:OptimisticMutation>.
///
/// **Isolation.** Like a ``Loader``, a list is not `Sendable`. It belongs to the actor that uses
/// it, and learns that actor from ``load(on:)``. Its closure, its items and all its changes
/// stay on that actor. If you form the closure outside any actor, write it without a capture list.
///
/// **Order.** The state has changed when a method returns. If a new load of the list starts while a
/// page is being loaded, that page is discarded. If the server's list has moved between two pages,
/// an item may arrive twice. It is shown once, at its first place.
///
/// **Lifetime.** When a list is deallocated, its load is cancelled; its mutations continue.
///
/// **Cancellation.** `CancellationError` is never a failure: the state returns to the state before
/// the load.
public final class PagedLoader<Cursor, Item: Identifiable>: Observable {
    typealias Machine = PageStateMachine<Cursor, Item.ID>

    private let operation: (Cursor?) async throws -> Page<Cursor, Item>
    let store: RecordStore<Item.ID, Item>
    let insertsInOrder: Bool
    let changes = ChangeCount()
    var machine: Machine
    weak var owner: (any Actor)?
    /// Whether the list was ever told to load in this session.
    var hasOwner = false
    var task: Task<Void, Never>?
    /// The time since the first page of the list arrived.
    var age: (() -> Duration)?
    /// The time since the first page of a new list arrived, of which further pages are awaited.
    var comingAge: (() -> Duration)?
    /// Whether a change of this turn must be published.
    var isChanged = false
    /// The items, if they were read since the last change.
    var cachedItems: [Item]?
    /// Whether a page is being merged into the records, so that their changes count as one.
    var isMerging = false
    /// The items that have left the list, and that have mutations that failed or may fail.
    var missed: [Item.ID] = []
    /// The settlement after which the list must reload a record, when nothing is pending.
    var awaitedSettlement: Int?
    /// Whether that record is hidden until then.
    var hidesItem = false
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
        machine = Machine(logicalClock: store.logicalClock)
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
    public var state: LoadState<[Item]> { machine.state(with: items) }

    /// Whether there is another page, as far as the list knows; observable.
    public var hasMore: Bool {
        changes.observe()
        return machine.hasMore
    }

    /// Whether ``state`` is about a load of the next page, which is running or has failed;
    /// observable.
    ///
    /// A screen shows the progress and the error of such a load at the end of the list. For a new
    /// list, it shows them at the start.
    public var isPaging: Bool {
        changes.observe()
        return machine.isPaging
    }

    /// Returns the mutations of an item: first the failed ones that were not dismissed, then the
    /// unsettled ones in order; observable.
    ///
    /// They include the failed insertion of an item that has left the list.
    public func pending(of id: Item.ID) -> [PendingMutation] {
        changes.observe()
        return store.existing(id)?.pending ?? []
    }

    /// The IDs of the items with failed mutations that were not dismissed; observable.
    ///
    /// Items that have left the list come first.
    ///
    /// The IDs include an item if its insertion was refused: see ``pending(of:)`` and
    /// ``dismiss(_:of:)``.
    public var failedIDs: [Item.ID] {
        changes.observe()
        var seen: Set<Item.ID> = []
        return (missed + machine.ids).filter { id in
            store.existing(id)?.hasFailures == true && seen.insert(id).inserted
        }
    }

    /// Notes that an item has left the list.
    func miss(_ id: Item.ID) {
        missed = (missed.filter { $0 != id } + [id]).filter { id in
            store.existing(id).map { $0.hasPending || $0.hasFailures } ?? false
        }
    }

    func publish() {
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
    /// If a load of the first page is under way, the call joins it. A load of another page is
    /// superseded. The existing list stays visible until the first page of the new list has
    /// arrived. If the store considers the list fresh, no load starts.
    ///
    /// If the compiler does not know the actor of your code, pass it as `owner`.
    ///
    /// - Parameter owner: the actor that the caller is running on.
    /// - Precondition: the caller is running on `owner`.
    public func load(on owner: any Actor = #isolation) {
        self.owner = owner
        hasOwner = true
        if !isFresh, machine.replacement == nil { start(.first) }
    }

    /// Loads the page after the loaded pages, on the actor of the last load.
    ///
    /// The method does nothing while a load is under way, at the end of the list, and before the
    /// first page has arrived. So you can call it each time the last item becomes visible. After a
    /// failure it tries again. If a page has no new item, it loads more pages, up to a limit.
    public func loadMore() {
        start(.more)
    }

    /// Loads the list again from its first page, on the actor of the last load, if the list was
    /// loaded before.
    ///
    /// A load that is under way is superseded. The old list stays visible until the first page of
    /// the new list has arrived.
    public func reload() {
        start(.first)
    }

    /// Repeats the last load if it failed: of a new list or of the next page.
    public func retry() {
        guard !machine.isLoading, let purpose = machine.failedPurpose else { return }
        start(purpose)
    }

    /// Cancels the current load and returns to the state before it, if a load is under way.
    public func cancel() {
        guard machine.isLoading else { return }
        task?.cancel()
        task = nil
        machine.cancel()
        publish()
    }

    /// Suspends until the current load has succeeded, failed or been cancelled.
    ///
    /// If no load is under way, the method returns at once. If the waiting task is cancelled, the
    /// wait ends and the load continues. Any number of callers may wait.
    public func settled() async {
        guard machine.isLoading else { return }
        let waiters = waiters ?? Waiters()
        self.waiters = waiters
        await waiters.wait()
    }

    var isFresh: Bool {
        guard let limit = store.options.staleAfter, let age, machine.error == nil else { return false }
        return age() < limit
    }

    func start(_ purpose: Machine.Purpose) {
        guard hasOwner else { return }
        guard let owner else {
            preconditionFailure("The actor of a list's last load is gone. Call load() on the current actor.")
        }
        let request = machine.begin(purpose) { store.existing($0)?.isDeleted != true }
        guard let request else { return }
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
            let earlierIDs = machine.ids
            let isReplacement = machine.replacement != nil
            if request.cursor == nil { comingAge = store.options.stopwatch() }
            let following = machine.finish(request, with: ids, next: page.next)
            merge(page.items, of: request.load)
            if let following {
                run(following, on: owner)
            } else {
                // A28: No later page makes the earlier pages younger.
                if isReplacement { age = comingAge }
                for id in earlierIDs where !machine.contains(id) { miss(id) }
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

    /// A9: Starts one load for all records that must be reloaded, when no item of the list has a
    /// mutation whose outcome may soon be known, or when an item is hidden until then.
    func reloadIfDue() {
        guard !isMerging, let awaitedSettlement,
            hidesItem || !store.pendingRecords.contains(where: { $0.isSending && contains($0.id) })
        else { return }
        (self.awaitedSettlement, hidesItem) = (nil, false)
        // A list load that began after the settlement is already under way, so no other load is
        // needed.
        if let replacement = machine.replacement, replacement > awaitedSettlement { return }
        start(.refresh)
    }
}
