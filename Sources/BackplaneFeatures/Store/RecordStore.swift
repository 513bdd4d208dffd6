/// Keeps records, so that loaders of the same IDs share them: what one loads or changes, the others show.
///
/// ```swift
/// let courses = RecordStore<Course.ID, Course>(revision: \.revision, isRejection: { $0 is APIError })
/// let page = Loader(store: courses, api.course)
/// let badge = Loader(store: courses, api.course)
/// ```
///
/// A loader that is given no store has a private one, with the defaults of ``init(revision:identity:isRejection:retries:loadRetries:staleAfter:clock:)``. A
/// private store keeps a record as long as its loader shows it or a mutation of it is not settled; one that is shared keeps it
/// until ``reset()``.
///
/// **Isolation.** Like its loaders, a store is not `Sendable`: it, its records and its loaders belong to one actor.
public final class RecordStore<ID: Hashable, Value> {
    let options: RecordOptions<Value>
    /// The ID of a value, if the server may give a record another one than it was made with.
    let identity: ((Value) -> ID)?
    let counter = LogicalClock()
    /// What a page brings of a record that has been let go of must not be from before this, the last settlement of any of them.
    private(set) var lastSettlementOfReleased = 0
    private let isPrivate: Bool
    private var records: [ID: Record<ID, Value>] = [:]
    /// The IDs that records have now, by those that they had.
    private var aliases: [ID: ID] = [:]
    private var pending: [ObjectIdentifier: Record<ID, Value>] = [:]
    private var lists: [WeakList<ID>] = []
    /// How many changes are being made, one inside the other.
    private var depth = 0
    /// Whose observers are to be told of them.
    private var changed: [any StoreObserver] = []

    /// An empty store.
    ///
    /// - Parameters:
    ///   - revision: the server's revision of a value: a number that grows with each change, the same for everybody. With it,
    ///     a load that comes at an unlucky moment can be used more often; without it, it is made again.
    ///   - identity: the ID of a value, where the server does not take the ID that a record is made with but gives it another:
    ///     when that is in the reply to a mutation, the record has it from then on, and answers to both. See
    ///     ``currentID(of:)``.
    ///   - isRejection: whether an error that a mutation's `send` has thrown says that the server has refused and not carried
    ///     it out: a status from 400 to 499 other than 401, 408, 425 and 429, say. After any other error the server may
    ///     have carried it out. By default the errors that are a ``DefiniteRejection`` do.
    ///   - retries: how often a mutation is sent again of which it is not known what became.
    ///   - loadRetries: how often a load that has failed is tried again before that is shown, unless it is a rejection; by default
    ///     never, for there is ``Loader/retry()``.
    ///   - staleAfter: how long a value is fresh after its load: until then ``Loader/load(_:isolation:)`` shows it and does not
    ///     load it again, and ``refresh()`` leaves it alone. By default none is fresh.
    ///   - clock: what delays and ages are measured by; one that goes on while the device sleeps.
    public convenience init(
        revision: ((Value) -> Int?)? = nil,
        identity: ((Value) -> ID)? = nil,
        isRejection: @escaping (any Error) -> Bool = { $0 is any DefiniteRejection },
        retries: RetryPolicy = RetryPolicy(),
        loadRetries: RetryPolicy = .never,
        staleAfter: Duration? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let options = RecordOptions(
            revision: revision,
            isRejection: isRejection,
            retries: retries,
            loadRetries: loadRetries,
            staleAfter: staleAfter,
            clock: clock
        )
        self.init(options: options, identity: identity, isPrivate: false)
    }

    private init(options: RecordOptions<Value>, identity: ((Value) -> ID)?, isPrivate: Bool) {
        self.options = options
        self.identity = identity
        self.isPrivate = isPrivate
    }

    /// The store of a single loader.
    static func ofItsOwn(identity: ((Value) -> ID)? = nil) -> RecordStore {
        RecordStore(options: RecordStore().options, identity: identity, isPrivate: true)
    }

    /// Begins another session: to be called at log-in, log-out and when the account is switched.
    ///
    /// Every loader and list of the store shows nothing, and asks for nothing, until it is told to load again; loaders that have
    /// stores of their own do not hear of it. What is under way is cancelled and does not land, what was about to begin does
    /// not begin; mutations that are not settled fail with ``FeatureError/Code/sessionEnded``. A load of ``SharedLoads`` that one
    /// of its loaders waits for ends with `CancellationError` for all its callers.
    public func reset() {
        turn {
            counter.beginEpoch()
            for list in lists { list.list?.beginEpoch() }
            for record in records.values { record.beginEpoch() }
            records = records.filter { $0.value.hasLoader }
            aliases = [:]
        }
    }

    /// Sends again at once every mutation of which it is not known what became, and then loads again what loaders show and is
    /// not fresh any more: for when the network is back, or the app is in front again.
    ///
    /// A load that is under way is superseded: it may have been stuck since before the network came back. Signals that come in
    /// bursts are to be thinned out before.
    public func refresh() {
        turn {
            for record in records.values { record.refresh() }
            for list in lists { list.list?.refresh() }
        }
    }

    /// Calls ``refresh()`` at each of `signals`, until there are no more or the task is cancelled.
    ///
    /// ```swift
    /// Task { try await courses.refresh(at: reachability.reconnections) }
    /// ```
    ///
    /// - Throws: what the sequence of signals throws.
    public func refresh<Signals: AsyncSequence & Sendable>(at signals: Signals) async throws {
        for try await _ in signals { refresh() }
    }

    /// The ID that a record has now: another than it was made with, if the server has given it one.
    ///
    /// A mutation of a record that is still being made is sent when that is done. Its `send` asks for the ID only then:
    ///
    /// ```swift
    /// let rename = Mutation<Note>.set(\.title, to: title) { key in
    ///     try await api.rename(notes.currentID(of: id), title, key)
    /// }
    /// ```
    public func currentID(of id: ID) -> ID {
        var id = id
        // More than once, if it has been given another again.
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

    /// A record that is there already.
    func existing(_ id: ID) -> Record<ID, Value>? { records[currentID(of: id)] }

    func value(of id: ID) -> Value? { records[currentID(of: id)]?.value }

    /// A11: the server calls a record by another ID; returns the record that has come under that one already, if there is one,
    /// and which takes its place.
    func rename(_ record: Record<ID, Value>, from old: ID, to new: ID) -> Record<ID, Value>? {
        aliases[old] = new
        records[old] = nil
        for list in lists { list.list?.rename(old, to: new) }
        if let other = records[new] { return other }
        records[new] = record
        return nil
    }

    /// Lets go of a record that nobody shows and that has nothing pending, if nobody else will ever ask for it.
    func release(_ record: Record<ID, Value>) {
        guard isPrivate, !record.hasLoader, !record.hasPending, !isListed(record.id) else { return }
        records[record.id] = nil
        lastSettlementOfReleased = max(lastSettlementOfReleased, record.lastSettlement)
    }
}

// MARK: - Turns

extension RecordStore {
    /// A15: makes a change, and tells observers when all of it has been applied.
    func turn<Result>(_ change: () throws -> Result) rethrows -> Result {
        depth += 1
        defer {
            depth -= 1
            if depth == 0, !changed.isEmpty { publish() }
        }
        return try change()
    }

    /// Something about `observer` has changed in this turn; said once a turn.
    func note(_ observer: any StoreObserver) {
        changed.append(observer)
        if depth == 0 { publish() }
    }

    private func publish() {
        let told = changed
        changed = []
        // All of them first: who looks at one may look at another.
        for observer in told { observer.forget() }
        for observer in told { observer.tell() }
    }
}

// MARK: - Lists

extension RecordStore {
    func add(_ list: any RecordList<ID>) {
        lists.removeAll { $0.list == nil }
        lists.append(WeakList(list))
    }

    /// Called by a record after each event, before it is published.
    func note(_ record: Record<ID, Value>) {
        pending[ObjectIdentifier(record)] = record.hasPending ? record : nil
    }

    func recordHasChanged(_ record: Record<ID, Value>) {
        for list in lists { list.list?.recordHasChanged(record.id) }
    }

    /// A9: a record that no loader can load again is loaded again with the lists that it is on.
    func expectReload(of record: Record<ID, Value>) {
        for list in lists where list.list?.needs(record.id) == true {
            list.list?.expectReload(after: record.lastSettlement)
        }
    }

    /// A17: whether a record is being made, on whatever list, of which a page may have brought the ID that the server gave it.
    var isMaking: Bool { identity != nil && pending.values.contains { $0.isBeingMade } }

    /// The records that have mutations which are not settled.
    var pendingRecords: some Collection<Record<ID, Value>> { pending.values }

    /// After a list has been loaded anew: lets go of what is not on it any more.
    func releaseUnused() {
        if isPrivate { records.values.forEach(release) }
    }

    private func isListed(_ id: ID) -> Bool {
        lists.contains { $0.list?.needs(id) == true }
    }
}

/// What the records of a store have in common.
final class RecordOptions<Value> {
    let revision: ((Value) -> Int?)?
    let isRejection: (any Error) -> Bool
    let retries: RetryPolicy
    let loadRetries: RetryPolicy
    let staleAfter: Duration?
    let clock: any Clock<Duration>

    init(
        revision: ((Value) -> Int?)?,
        isRejection: @escaping (any Error) -> Bool,
        retries: RetryPolicy,
        loadRetries: RetryPolicy,
        staleAfter: Duration?,
        clock: any Clock<Duration>
    ) {
        self.revision = revision
        self.isRejection = isRejection
        self.retries = retries
        self.loadRetries = loadRetries
        self.staleAfter = staleAfter
        self.clock = clock
    }

    /// Tells how long ago it was made; nil if nobody wants to know.
    func stopwatch() -> (() -> Duration)? {
        staleAfter == nil ? nil : stopwatch(clock)
    }

    private func stopwatch(_ clock: some Clock<Duration>) -> () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}

/// A loader or a list of a store, whose observers are told of a change when all of it has been applied.
protocol StoreObserver: AnyObject {
    /// Forgets what it has computed from what was there before the change.
    func forget()

    /// Tells observers, who may look at once.
    func tell()
}
