internal import BackplaneConcurrency

/// A record of a store: performs the effects of its ``RecordStateMachine`` and notifies the loaders
/// that show it.
///
/// To understand a mutation, follow it through these functions:
///
/// 1. `Loader.mutate(_:)` or `Loader.enqueue(_:)` calls ``mutate(_:on:for:)`` on the record that
///    it shows.
/// 2. ``mutate(_:on:for:)`` notes the caller that waits for the outcome, if there is one. It opens
///    a turn with `RecordStore.turn(_:)`.
/// 3. `apply(_:_:)` gives the event to the state machine. Here the event is
///    `RecordStateMachine.append(_:)`, which changes the mutation log and returns effects.
/// 4. `apply(_:_:)` then calls `publish(_:)`, which marks the loaders and lists that show the
///    record as changed, and performs the effects. For `Effect.send` it calls `send(_:)`, which
///    starts a task on the record's actor.
/// 5. The turn ends, and the store notifies the observers of all marked loaders and lists. The
///    change is visible before anything suspends.
/// 6. The task waits for the outcome: ``MemoryDelivery`` or an outbox sends the mutation until it
///    is known. A response leads to `acknowledge(_:with:)`, and a rejection to
///    `RecordStateMachine.withdraw(_:_:)`.
/// 7. `acknowledge(_:with:)` gives `RecordStateMachine.acknowledge(_:with:revision:)` to
///    `apply(_:_:)`, in a new turn. The mutation becomes part of the ``ServerState``.
///    `Effect.settle` resumes the callers, the next mutation is sent, and the turn
///    publishes again.
final class Record<ID: Hashable, Value> {
    /// The kind of a change, for the loaders that show the record.
    enum Change {
        /// A load succeeded or failed.
        case landed
        /// A load was cancelled.
        case cancelled
        case other
    }

    typealias Machine = RecordStateMachine<Value>

    var id: ID
    let subscribers = LoadSubscribers()
    let options: RecordOptions<Value>
    let logicalClock: LogicalClock
    weak var store: RecordStore<ID, Value>?
    weak var owner: (any Actor)?

    var machine: Machine
    var loaders: [WeakReference<Loader<ID, Value>>] = []
    /// The callers that wait for the outcomes of the mutations that are not settled.
    var callers: [IdempotencyKey: [SharedResult]] = [:]
    /// The callers that wait until mutations are on the disk, resumed at each change.
    var waiters: Waiters?
    /// The work that sends the first mutation until its outcome is known.
    var sending: Task<Void, Never>?
    /// The delivery of the first mutation, if it exists only in memory.
    var memory: MemoryDelivery?
    var load: LoadStamp?
    /// Whether a caller has loaded it in this session; until then the record does not reload on its
    /// own.
    var isWanted = false
    /// Tells the source of the last load that its loads of an ID are out of date.
    var invalidate: ((ID) -> Void)?
    /// Whether a shared load of other callers may be older than the last settlement, so that it
    /// must not be joined (C7).
    private var othersMayBeBehind = false
    /// The part of the current load in a shared load.
    var share: LoadShare?
    /// The number of the last shared load that the record knows of.
    private var lastShared = 0
    /// The records that are created after a mutation of this record is settled, by that mutation
    /// (A18).
    ///
    /// They are not weak: like any other queued mutation, their creation outlives the store.
    var successors: [IdempotencyKey: [Record]] = [:]
    /// The time since the last load was written.
    var age: (() -> Duration)?
    /// Whether a reload was due while no loader showed the record.
    var isOutdated = false

    init(_ id: ID, of store: RecordStore<ID, Value>) {
        self.id = id
        self.store = store
        options = store.options
        logicalClock = store.logicalClock
        machine = Machine(logicalClock: logicalClock, lastSettlement: store.lastSettlementOfReleased)
    }

    // MARK: Visible state

    var value: Value? { machine.visible.value }
    var isLoading: Bool { machine.isLoading }
    var isKnown: Bool { if case .notLoaded = machine.visible { false } else { true } }
    var isDeleted: Bool { if case .absent = machine.visible { true } else { false } }
    var hasPending: Bool { !machine.log.isEmpty }
    var hasFailures: Bool { !machine.failures.isEmpty }
    /// Whether a mutation is sent, and no attempt has ended without an outcome.
    var isSending: Bool {
        machine.isSendOpen && memory?.isWaiting != true && !pending.contains { $0.status == .unconfirmed }
    }
    var lastSettlement: Int { machine.lastSettlement }
    /// Whether a loader shows it, or may return to it.
    var hasLoader: Bool { loaders.contains { $0.object != nil } }
    /// Whether a loader shows it that was told to load; that loader has the closure to reload it.
    private var isAwaited: Bool { isWanted && subscribers.count > 0 }

    /// Whether its last load is so recent that it needs no other load.
    var isFresh: Bool {
        guard let limit = options.staleAfter, let age, machine.loadError == nil else { return false }
        return age() < limit
    }

    var state: LoadState<Value> { machine.state }

    var pending: [PendingMutation] {
        let failed = machine.failures.map { failure in
            PendingMutation(
                id: failure.id,
                label: failure.label,
                element: failure.element,
                status: .failed,
                error: FeatureError(failure.outcome, of: failure.id, label: failure.label),
                isSaved: failure.isKept && failure.delivery?.isOnDisk == true
            )
        }
        return failed + machine.log.all.map(pendingMutation)
    }

    private func pendingMutation(_ entry: MutationLog<Value>.Entry) -> PendingMutation {
        let mutation = entry.mutation
        let inMemory = entry.isSent ? memory?.progress : nil
        let progress = mutation.delivery?.progress ?? inMemory ?? MutationProgress()
        return PendingMutation(
            id: mutation.id,
            label: mutation.label,
            element: mutation.intent.element,
            status: progress.status,
            error: progress.error.map { .unconfirmed(mutation.id, label: mutation.label, cause: $0) },
            isSaved: mutation.delivery?.isOnDisk ?? false
        )
    }

    /// The mutations that are not settled.
    var unsettled: [IdempotencyKey] { machine.log.all.flatMap(\.ids) }

    /// Returns whether the mutation is not settled yet.
    func isPending(_ mutation: IdempotencyKey) -> Bool {
        machine.log.all.contains { $0.mutation.id == mutation || $0.superseded.contains(mutation) }
    }

    /// Notes the mutation by which a list creates the record; the mutation continues without the
    /// list.
    ///
    /// A18: The mutation is not sent before the creation of `earlier` is settled.
    func isMade(by mutation: IdempotencyKey, after earlier: Record? = nil) {
        machine.creation = mutation
        // A record with pending mutations sends the new one after them.
        guard let earlier, let key = earlier.machine.creation, earlier.isPending(key), !hasPending else { return }
        earlier.successors[key, default: []].append(self)
        machine.wait()
    }

    /// A18: Sends the creation, after the creation of another record has been settled.
    private func proceed() {
        apply { $0.proceed() }
    }

    /// U4: The pending mutation without which an intent does not apply.
    func premise(of intent: Intent<Value>, isDurable: Bool) -> IdempotencyKey? {
        machine.premise(of: intent, isDurable: isDurable)
    }

    /// Returns whether the mutation is not settled yet, or has failed and was not dismissed.
    func hasUnfinished(_ mutation: IdempotencyKey) -> Bool { isPending(mutation) || hasFailed(mutation) }

    func hasFailed(_ mutation: IdempotencyKey) -> Bool { machine.failures.contains { $0.id == mutation } }

    // MARK: Loaders

    func attach(_ loader: Loader<ID, Value>) {
        add(loader)
        join()
    }

    private func join() {
        // The load was cancelled if its last loader has left, though it may not have ended.
        if !subscribers.awaitsLoad { forgetLoad() }
        subscribers.join()
    }

    /// Adds a loader that does not subscribe to the loads, because it shows another record.
    func add(_ loader: Loader<ID, Value>) {
        loaders.removeAll { $0.object == nil }
        loaders.append(WeakReference(loader))
    }

    /// Detaches a loader; the last loader that detaches also cancels the load.
    func detach(_ loader: Loader<ID, Value>) {
        remove(loader)
        unsubscribe()
    }

    /// Removes a loader that no longer subscribes to the loads.
    func remove(_ loader: Loader<ID, Value>) {
        loaders.removeAll { $0.object == nil || $0.object === loader }
        store?.release(self)
    }

    /// Ends the subscription of an attached loader; the last one cancels the load.
    func unsubscribe() {
        cancelLoad()
        subscribers.leave()
    }

    /// Subscribes an attached loader again, and makes up for a reload.
    func resubscribe() {
        join()
        if isOutdated { loadAgain() }
    }

    // MARK: Loading

    /// Joins a suitable load or starts one; returns whether it has started one.
    func load(on owner: any Actor) -> Bool {
        self.owner = owner
        isWanted = true
        if isFresh || machine.canJoinLoad && subscribers.awaitsLoad { return false }
        startLoad(on: owner, .join)
        return true
    }

    /// Shows a value that is known before the first load; does nothing if a value is loaded or
    /// loading.
    func show(initial value: Value) {
        guard case .notLoaded = machine.visible, load == nil else { return }
        let revision = options.revision?(value)
        apply { machine in
            machine.show(initial: value, revision: revision)
            return []
        }
    }

    func reload() {
        guard let owner else {
            preconditionFailure("The actor of a loader's last load is gone. Call load(_:) on the current actor.")
        }
        startLoad(on: owner, .reload)
    }

    /// Cancels the current load, unless other loaders wait for it.
    func cancelLoad() {
        guard load != nil, subscribers.count == 1 else { return }
        subscribers.cancelLoad()
        forgetLoad()
        publish(.cancelled)
        reloadLists()
    }

    /// A21: Has the lists loaded that contain the record, if no load of its own has brought a
    /// value.
    ///
    /// A page may have brought one that lacks a settled mutation, and that is not shown.
    private func reloadLists() {
        if !isLoading, !isKnown { store?.expectReload(of: self) }
    }

    private func forgetLoad() {
        if let load { machine.cancel(load) }
        load = nil
    }

    private func endShare() {
        lastShared = share?.lastKnown ?? lastShared
        share = nil
    }

    private func startLoad(on owner: any Actor, _ demand: LoadDemand) {
        // The source of the last attached loader: loaders that share a record load the same value.
        guard let source = loaders.last(where: { $0.object != nil })?.object?.source else { return }
        endShare()
        let (operation, share) = (source.load, LoadShare(after: lastShared))
        // A refresh follows the settlement, which has closed the earlier loads of this source.
        let demand = othersMayBeBehind && demand == .join ? .reload : demand
        if source.isShared { othersMayBeBehind = false }
        invalidate = source.invalidate
        self.share = share
        isOutdated = false
        let load = machine.beginLoad()
        self.load = load
        publish(.other)
        let (id, session) = (id, Session(logicalClock))
        // Captured by name, not in a capture list: in Swift 6.3 a capture list makes a closure of
        // nonisolated code run outside the actor of its caller (swiftlang/swift#87097). Detached:
        // the load inherits neither task-local values nor the cancellation of its first caller
        // (C3).
        let task = startDetachedTask(on: owner) {
            let result: Result<Value, any Error>
            do {
                result = .success(
                    try await self.options.loadRetries.run(
                        on: self.options.clock,
                        unless: self.options.isRejection
                    ) {
                        // A14: A load that is superseded, cancelled or of a former session must not
                        // call the closure.
                        try session.check()
                        if let store = self.store, store.restoresChanges {
                            await store.restored(on: owner)
                            try session.check()
                        }
                        return try await operation(id, demand, share)
                    }
                )
            } catch {
                result = .failure(error)
            }
            self.finish(load, with: result)
        }
        subscribers.follow(task, onLeave: OwnerCall(on: owner) { [weak self] in self?.abandonLoad() })
    }

    /// Forgets the load that was cancelled because its last loader was released.
    private func abandonLoad() {
        guard load != nil, !subscribers.awaitsLoad else { return }
        forgetLoad()
        publish(.cancelled)
        reloadLists()
    }

    private func finish(_ load: LoadStamp, with result: Result<Value, any Error>) {
        // A superseded or cancelled load does not land, even if its closure ignores cancellation.
        guard machine.isCurrent(load) else { return }
        self.load = nil
        endShare()
        subscribers.endLoad()
        switch result {
        case .success(let value): land(value, of: load, .landed)
        case .failure(is CancellationError):
            apply(.cancelled) { machine in
                machine.cancel(load)
                return []
            }
        case .failure(let error):
            apply(.landed) { machine in
                machine.fail(load, error)
                return []
            }
        }
        reloadLists()
    }

    /// A10: Takes the value that a page contains for this record.
    func merge(_ value: Value, of page: LoadStamp) {
        land(value, of: page, .other)
        // The page began before a settlement. With a pending change, another settlement follows.
        if !hasPending { reloadLists() }
    }

    private func land(_ value: Value, of load: LoadStamp, _ change: Change) {
        let revision = options.revision?(value)
        apply(change) { machine in
            let effects = machine.finish(load, with: value, revision: revision)
            if machine.hasWritten(load) { (age, isOutdated) = (options.stopwatch(), false) }
            return effects
        }
    }

    /// Loads the record again when nothing is pending, because a mutation that it does not have was
    /// carried out.
    func expectReload() {
        apply { $0.expectReload() }
    }

    /// Resends an unconfirmed mutation, and reloads the record if a loader shows it and it is not
    /// fresh.
    func refresh() {
        retryPending(isAutomatic: true)
        guard isAwaited, isLoading || !isFresh, machine.refresh(), let owner else { return }
        startLoad(on: owner, .refresh)
    }

    // MARK: Events

    /// Gives an event to the state machine, notifies loaders and lists, and performs the effects,
    /// in one turn.
    func apply(_ change: Change = .other, _ event: (Machine) -> [Machine.Effect]) {
        turn {
            machine.isFirstUnsent = memory?.isUnsent == true
            let effects = event(machine)
            store?.note(self)
            publish(change)
            waiters?.resumeAll()
            for effect in effects {
                switch effect {
                case .send(let mutation): send(mutation)
                case .settle(let ids, let outcome): for id in ids { settle(id, outcome) }
                case .reload: loadAgain()
                }
            }
        }
    }

    /// Runs a change in a turn of the store; without a store, no observer is left to notify.
    func turn(_ change: () -> Void) {
        if let store { store.turn(change) } else { change() }
    }

    /// Loads the record again through a loader that shows it, or otherwise through the lists that
    /// contain it.
    func loadAgain() {
        age = nil
        if !isAwaited {
            isOutdated = true
            store?.expectReload(of: self)
        } else if let owner {
            startLoad(on: owner, .reload)
        }
    }

    private func settle(_ id: IdempotencyKey, _ outcome: MutationOutcome) {
        // C7: A load from before this settlement must not be joined.
        invalidate?(self.id)
        othersMayBeBehind = true
        for successor in successors.removeValue(forKey: id) ?? [] { successor.proceed() }
        guard let callers = callers.removeValue(forKey: id) else { return }
        for caller in callers { caller.resolve(Box(outcome)) }
        store?.release(self)
    }

    private func publish(_ change: Change) {
        for loader in loaders { loader.object?.recordHasChanged(self, change) }
        store?.recordHasChanged(self)
    }
}
