internal import BackplaneConcurrency

/// A shared store of records: loaders with the same store and ID share one record.
///
/// If one loader loads or changes a record, all loaders and lists of the store show the result.
///
/// ```swift
/// let courses = RecordStore<Course.ID, Course>(
///     revision: \.revision,
///     isRejection: { $0 is APIError }
/// )
/// let page = Loader(store: courses, api.course)
/// let badge = Loader(store: courses, api.course)
/// ```
///
/// **In memory only.** A store keeps its records in memory. It writes nothing to disk, and a new
/// process starts with an empty store. Mutations that are still pending are lost when the process
/// ends.
///
/// **Lifetime.** A shared store keeps a record until ``reset()``. A loader without a store creates
/// a private one, with the defaults of
/// ``init(revision:identity:entityTag:isRejection:loadRetries:staleAfter:clock:sending:)``.
/// A private store keeps a record while its loader shows it or while a mutation of it is pending.
///
/// **Order.** Changes happen in turns. Observers of loaders and lists are notified once, after the
/// whole turn has been applied.
///
/// **Isolation.** A store, its records and its loaders belong to one actor. Like its loaders, a
/// store is not `Sendable`.
public final class RecordStore<ID: Hashable, Value> {
    let options: RecordOptions<Value>
    /// The ID of a value, if the server may replace the ID that a record was created with.
    let identity: ((Value) -> ID)?
    /// Sends the changes that are given as values.
    let sender: ChangeSender<ID, Value>?
    /// The arrival of the changes that earlier processes have not finished; one per session.
    private var restoration: Task<Void, Never>? {
        get { presence.restoration.withLock { $0 } }
        set { presence.restoration.withLock { $0 = newValue } }
    }
    private var restoring = RepeatedWork()
    /// Calls the store when others have added changes.
    private var changeObserver: OwnerCall?
    /// The actor of the first load.
    private weak var owner: (any Actor)?
    /// The items that earlier processes have created, for lists that are created later.
    private var restoredInsertions: [(id: ID, mutation: IdempotencyKey)] = []
    /// The current session, by which deliveries know the store.
    private(set) lazy var session = StoreSession(of: presence)
    let logicalClock = LogicalClock()
    /// The latest settlement of any released record; older pages may not write a record that is
    /// created again.
    private(set) var lastSettlementOfReleased = 0
    /// Exists as long as the store, so that any thread can tell whether the store still exists.
    package private(set) lazy var presence = StorePresence()
    private let isPrivate: Bool
    private var records: [ID: Record<ID, Value>] = [:]
    /// The current IDs of records, by their former IDs.
    private var aliases: [ID: ID] = [:]
    private var pending: [ObjectIdentifier: Record<ID, Value>] = [:]
    private var lists: [WeakList<ID>] = []
    /// How many turns are open, one inside another.
    private var depth = 0
    /// The loaders and lists that changed in this turn, and whose observers must be notified.
    private var changed: [any StoreObserver] = []

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - revision: the server's revision of a value: a number that grows with each change and is
    ///     the same for all users. With revisions, the store can use more of the loads that run at
    ///     the same time as a mutation. Without revisions, it repeats such a load.
    ///   - identity: the ID of a value. Pass it if the server replaces the ID of a new record. When
    ///     the response to a mutation contains the new ID, the record takes that ID and can be
    ///     found by both IDs. See ``currentID(of:)``.
    ///   - entityTag: the `ETag` of a value, if the server checks it when the value is changed. A
    ///     mutation whose `send` comes from an endpoint (`BackplaneRemote`) then has the field
    ///     `If-Match` with the tag of the server state. After a response without a value, the tag
    ///     is unknown until the next load. Until then, mutations do not have this field.
    ///   - isRejection: whether an error from a mutation's `send` says that the server refused the
    ///     mutation and did not carry it out. After any other error the server may have carried it
    ///     out. By default, errors that conform to ``DefiniteRejection`` are rejections, and so are
    ///     errors of `BackplaneNetworking` whose `isRefusal` is true, such as a status from 400 to
    ///     499 except 401, 408, 425 and 429.
    ///   - loadRetries: how often a failed load is repeated before the failure is shown, unless the
    ///     error is a rejection. By default it is never repeated, because ``Loader/retry()``
    ///     exists.
    ///   - staleAfter: how long a value stays fresh after its load. Until then,
    ///     ``Loader/load(_:on:)`` shows the value and does not load it again, and
    ///     ``refresh()`` ignores it. By default, values are never fresh.
    ///   - clock: the clock for delays and ages; it must continue while the device sleeps.
    ///   - sender: sends the changes that are given as values: see ``RecordChange``. Without it,
    ///     the store accepts only mutations that contain their `send`.
    public convenience init(
        revision: ((Value) -> Int?)? = nil,
        identity: ((Value) -> ID)? = nil,
        entityTag: ((Value) -> String?)? = nil,
        isRejection: ((any Error) -> Bool)? = nil,
        loadRetries: RetryPolicy = .never,
        staleAfter: Duration? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        sending sender: ChangeSender<ID, Value>? = nil
    ) {
        let options = RecordOptions(
            revision: revision,
            entityTag: entityTag,
            isRejection: isRejection ?? { $0.isKnownRejection },
            loadRetries: loadRetries,
            staleAfter: staleAfter,
            clock: clock
        )
        self.init(options: options, identity: identity, sender: sender, isPrivate: false)
    }

    private init(
        options: RecordOptions<Value>,
        identity: ((Value) -> ID)?,
        sender: ChangeSender<ID, Value>? = nil,
        isPrivate: Bool
    ) {
        self.sender = sender
        self.options = options
        self.identity = identity
        self.isPrivate = isPrivate
    }

    /// Returns a private store for a single loader or list.
    static func ofItsOwn(identity: ((Value) -> ID)? = nil) -> RecordStore {
        RecordStore(options: RecordStore().options, identity: identity, isPrivate: true)
    }

    /// Starts a new session; call it when a user signs in, signs out or switches the account.
    ///
    /// Every loader and list of the store shows nothing, until you call its `load` again. Loaders
    /// with other stores are not affected.
    ///
    /// Loads that are running are cancelled and change nothing. Operations that were about to start
    /// do not start. Mutations that are not settled fail with ``FeatureError/Code/sessionEnded``.
    /// If one of the loaders waits for a load of ``SharedLoads``, that load ends with
    /// `CancellationError` for all its callers.
    public func reset() {
        turn {
            logicalClock.beginEpoch()
            restoration?.cancel()
            (restoration, restoring) = (nil, RepeatedWork())
            restoredInsertions = []
            session = StoreSession(of: presence)
            for list in lists { list.list?.beginEpoch() }
            for record in records.values { record.beginEpoch() }
            records = records.filter { $0.value.hasLoader }
            aliases = [:]
        }
    }

    /// Resends unconfirmed mutations at once, and then reloads the records that loaders show and
    /// that are not fresh.
    ///
    /// Call it when the network is back, or when the app returns to the foreground:
    ///
    /// ```swift
    /// Task { for await _ in reachability.reconnections { courses.refresh() } }
    /// ```
    ///
    /// A load that is running is superseded, because it may be stuck since the network was gone. If
    /// several signals come in a short time, combine them before you call this. Windows that share
    /// their loads (``SharedLoads``) share one load for each signal.
    ///
    /// A list is loaded until all its items are found again, up to a limit of requests. A record
    /// with a pending mutation is loaded again after the mutation is settled.
    public func refresh() {
        sender?.unfinished?.resume()
        turn {
            for record in records.values { record.refresh() }
            for list in lists { list.list?.refresh() }
        }
    }

    /// Returns the current ID of a record, which differs from `id` if the server has replaced it.
    ///
    /// If a record is still being created, a mutation of it is sent after the creation. Read the
    /// current ID inside `send`, because the new ID is known only then:
    ///
    /// ```swift
    /// let rename = Mutation<Note>(.set(\.title, to: title)) { key in
    ///     try await api.rename(notes.currentID(of: id), title, key)
    /// }
    /// ```
    public func currentID(of id: ID) -> ID {
        var id = id
        // A loop, because the server may have replaced the ID more than once.
        while let next = aliases[id] { id = next }
        return id
    }

    func record(_ id: ID) -> Record<ID, Value> {
        let id = currentID(of: id)
        if let record = records[id] { return record }
        let record = Record(id, of: self)
        records[id] = record
        return record
    }

    /// Returns the record of an ID if it exists, and creates none.
    func existing(_ id: ID) -> Record<ID, Value>? { records[currentID(of: id)] }

    func value(of id: ID) -> Value? { records[currentID(of: id)]?.value }

    /// A11: Gives a record the ID from the server, and returns the record that already has that ID,
    /// if there is one.
    ///
    /// The returned record then takes the place of `record`.
    func rename(_ record: Record<ID, Value>, from old: ID, to new: ID) -> Record<ID, Value>? {
        aliases[old] = new
        records[old] = nil
        for list in lists { list.list?.rename(old, to: new) }
        if let other = records[new] { return other }
        records[new] = record
        return nil
    }

    /// Releases a record of a private store if no loader shows it, nothing is pending or failed
    /// (A23), and no list contains it.
    func release(_ record: Record<ID, Value>) {
        guard isPrivate, !record.hasLoader, !record.hasPending, !record.hasFailures, !isListed(record.id) else {
            return
        }
        records[record.id] = nil
        lastSettlementOfReleased = max(lastSettlementOfReleased, record.lastSettlement)
    }
}

// MARK: - Turns

extension RecordStore {
    /// A15: Runs a change, and notifies observers after the outermost change has been applied.
    func turn<Result>(_ change: () throws -> Result) rethrows -> Result {
        depth += 1
        defer {
            depth -= 1
            if depth == 0, !changed.isEmpty { publish() }
        }
        return try change()
    }

    /// Notes that `observer` has changed; its observers are notified once at the end of the turn.
    func note(_ observer: any StoreObserver) {
        changed.append(observer)
        if depth == 0 { publish() }
    }

    private func publish() {
        let told = changed
        changed = []
        // First all caches, because the observer of one loader may read another loader.
        for observer in told { observer.forget() }
        for observer in told { observer.tell() }
    }
}

// MARK: - Changes of an outbox

extension RecordStore {
    /// Returns the mutation for a change, or throws if there is no record or the store cannot send
    /// changes of this type.
    func mutation(
        for change: some RecordChange<Value>,
        of id: ID?,
        options: MutationOptions<Value>
    ) throws -> Mutation<Value> {
        guard let id else { throw FeatureError.notLoaded(nil, label: options.label) }
        var options = options
        options.base = existing(id)?.taggedBase
        options.premise = existing(id)?.premise(of: change.intent, isDurable: restoresChanges)
        guard let mutation = sender?.mutation(change, currentID(of: id), options) else {
            throw FeatureError.noSender(of: type(of: change), label: options.label)
        }
        return mutation
    }

    /// Puts the changes that earlier processes have not finished into their records, once in a
    /// session and before the first load (D12).
    func restored(on owner: any Actor) async {
        guard let unfinished = sender?.unfinished else { return }
        if restoration == nil {
            self.owner = owner
            if changeObserver == nil {
                let store = WeakReference(self)
                let observer = OwnerCall(on: owner) { store.object?.restoreAgain() }
                changeObserver = observer
                unfinished.observe(observer, of: presence)
            }
            restore(on: owner)
        }
        await restoration?.value
    }

    /// Whether a load must wait until changes of earlier processes have arrived.
    var restoresChanges: Bool { sender?.unfinished != nil }

    private func restoreAgain() {
        // Before the first load, nothing is restored that a load could contradict.
        if restoration != nil, let owner { restore(on: owner) }
    }

    private func restore(on owner: any Actor) {
        // One at a time, because many changes may be added at once.
        guard restoring.request() else { return }
        let store = WeakReference(self)
        restoration = startDetachedTask(on: owner) { await store.object?.fetchUnfinished(on: owner) }
    }

    private func fetchUnfinished(on owner: any Actor) async {
        let session = session
        repeat {
            let fetched = await sender?.unfinished?.fetch(besides: records.values.flatMap(\.keptFailures))
            // A later session fetches its own.
            guard let (changes, decided) = fetched, session === self.session else { return }
            // D32: The order in which they were made; others are not on the disk yet, so they were
            // made later.
            let places = Dictionary(uniqueKeysWithValues: zip(changes.map(\.delivery.id), 0...))
            turn {
                for record in pendingRecords { record.endReplaced { places[$0] == nil } }
                let shown = Set(pendingRecords.flatMap(\.unsettled))
                let failed = Set(records.values.flatMap(\.keptFailures))
                // The server may have carried them out since then. Others ended here meanwhile.
                let ended = decided.filter(failed.contains)
                for record in records.values where record.endFailures(ended) { record.expectReload() }
                for change in changes where !shown.contains(change.delivery.id) {
                    if change.isRefused, failed.contains(change.delivery.id) { continue }
                    let place = places[change.delivery.id] ?? 0
                    show(change, before: { places[$0] ?? .max > place }, on: owner)
                }
                restoredInsertions.sort { places[$0.mutation] ?? .max < places[$1.mutation] ?? .max }
            }
        } while restoring.finish()
    }

    /// Shows a change of an earlier process or of another store that is unfinished or refused.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - isLater: returns whether a change that is shown already is carried out after this one.
    ///   - owner: the actor of the store.
    private func show(
        _ change: UnfinishedChange<ID, Value>,
        before isLater: (IdempotencyKey) -> Bool,
        on owner: any Actor
    ) {
        // It may have ended since it was read. Then this store has settled it, or may lack it.
        let progress = change.delivery.progress
        if progress.hasEnded, change.delivery.isKnown(to: session) { return }
        guard let (id, mutation) = change.decode() else { return }
        if change.isRefused, let refusal = progress.failure {
            let record = record(id)
            record.showRefusal(of: mutation, refusal)
            restoreInsertion(of: record, by: mutation, before: isLater)
            return
        }
        if progress.hasEnded {
            if progress.failure == nil { _ = existing(id)?.endFailures([mutation.id]) }
            return expectReload(of: id)
        }
        let record = record(id)
        if record.isStillFailed(mutation) { return }
        // It was sent again after a refusal.
        _ = record.endFailures([mutation.id])
        if restoreInsertion(of: record, by: mutation, before: isLater) { record.isMade(by: mutation.id) }
        if record.unsettled.contains(where: isLater) { record.machine.distrustOrder() }
        record.mutate(mutation, on: owner)
    }

    /// Tells the lists of a creation, and returns whether the mutation is one.
    @discardableResult
    private func restoreInsertion(
        of record: Record<ID, Value>,
        by mutation: Mutation<Value>,
        before isLater: (IdempotencyKey) -> Bool
    ) -> Bool {
        guard case .replace = mutation.intent.effect, !record.isKnown else { return false }
        restoredInsertions.append((record.id, mutation.id))
        for list in lists { list.list?.restoreInsertion(of: record.id, by: mutation.id, before: isLater) }
        return true
    }

    private func expectReload(of id: ID) {
        if let record = existing(id), record.isKnown {
            record.expectReload()
        } else {
            for list in lists { list.list?.expectReload(after: 0, isHidden: false) }
        }
    }
}

// MARK: - Lists

extension RecordStore {
    func add(_ list: any RecordList<ID>) {
        lists.removeAll { $0.list == nil }
        lists.append(WeakList(list))
        restoredInsertions.removeAll { existing($0.id)?.hasUnfinished($0.mutation) != true }
        for (id, mutation) in restoredInsertions {
            list.restoreInsertion(of: currentID(of: id), by: mutation) { _ in false }
        }
    }

    /// Tracks whether a record has pending mutations; records call it after each event, before it
    /// is published.
    func note(_ record: Record<ID, Value>) {
        pending[ObjectIdentifier(record)] = record.hasPending ? record : nil
    }

    func recordHasChanged(_ record: Record<ID, Value>) {
        for list in lists { list.list?.recordHasChanged(record.id) }
    }

    /// A9: Reloads a record that no loader can reload, together with the lists that contain it.
    func expectReload(of record: Record<ID, Value>) {
        for list in lists where list.list?.needs(record.id) == true {
            list.list?.expectReload(after: record.lastSettlement, isHidden: !record.isKnown)
        }
    }

    /// The records that have mutations that are not settled.
    var pendingRecords: some Collection<Record<ID, Value>> { pending.values }

    /// Releases the records that are no longer on a list; called after a list has been reloaded.
    func releaseUnused() {
        if isPrivate { records.values.forEach(release) }
    }

    private func isListed(_ id: ID) -> Bool {
        lists.contains { $0.list?.needs(id) == true }
    }
}

/// An object that lives as long as its store, and that any thread may refer to weakly.
package final class StorePresence: Sendable {
    fileprivate let restoration = Locked<Task<Void, Never>?>(nil)

    package init() {}

    /// Suspends until the store shows what it has been told to read.
    package func hasRead() async { await restoration.withLock { $0 }?.value }
}

/// The options that all records of a store share.
struct RecordOptions<Value> {
    let revision: ((Value) -> Int?)?
    let entityTag: ((Value) -> String?)?
    let isRejection: (any Error) -> Bool
    let loadRetries: RetryPolicy
    let staleAfter: Duration?
    let clock: any Clock<Duration>

    /// Returns a function that measures the time since this call, or `nil` if the store does not
    /// use ages.
    func stopwatch() -> (() -> Duration)? {
        staleAfter == nil ? nil : clock.stopwatch()
    }
}

extension Clock where Duration == Swift.Duration {
    /// Returns a function that measures the time since this call.
    func stopwatch() -> () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

/// A loader or a list of a store, which notifies its own observers after a turn.
protocol StoreObserver: AnyObject {
    /// Discards cached values that were computed before the change.
    func forget()

    /// Notifies the observers, which may read values at once.
    func tell()
}
