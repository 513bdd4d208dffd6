internal import BackplaneConcurrency

/// A record of a store: has the effects of its ``RecordStateMachine``, and tells the loaders that show it.
final class Record<ID: Hashable, Value> {
    /// What a change is to the loaders that show the record.
    enum Change {
        /// A load has ended, well or badly.
        case landed
        /// A load has been cancelled.
        case cancelled
        case other
    }

    private typealias Machine = RecordStateMachine<Value>

    private(set) var id: ID
    let subscribers = LoadSubscribers()
    private let options: RecordOptions<Value>
    private let counter: LogicalClock
    private weak var store: RecordStore<ID, Value>?
    private weak var owner: (any Actor)?

    private var machine: Machine
    private var loaders: [WeakReference<Loader<ID, Value>>] = []
    private var tickets: [IdempotencyKey: MutationTicket] = [:]
    /// The send under way, or the wait before the next.
    private var sending: Task<Void, Never>?
    /// How often the first mutation had been sent when somebody last had it sent again.
    private var earlierAttempts = 0
    private var load: LoadStamp?
    /// Whether somebody has asked for it in this session; until then nothing brings it back by itself.
    private(set) var isWanted = false
    /// Says to those who load it that a value is out of date; the closure that loads is its loaders' alone, and its load's.
    private var invalidate: ((ID) -> Void)?
    /// Whether a load that others have begun may be from before the last settlement, and is not to be joined (C7).
    private var othersMayBeBehind = false
    /// The part that the last load has in one that is shared.
    private var share: LoadShare?
    /// The mutation that makes it, at the start of a list.
    private var creation: IdempotencyKey?
    /// How long ago the last load landed.
    private var age: (() -> Duration)?

    init(_ id: ID, of store: RecordStore<ID, Value>) {
        self.id = id
        self.store = store
        options = store.options
        counter = store.counter
        machine = Machine(counter: counter, lastSettlement: store.lastSettlementOfReleased)
    }

    // MARK: What there is to show

    var value: Value? { machine.visible.value }
    var isLoading: Bool { machine.isLoading }
    var isKnown: Bool { if case .notLoaded = machine.visible { false } else { true } }
    var hasPending: Bool { !machine.log.isEmpty }
    var lastSettlement: Int { machine.lastSettlement }
    /// Whether a loader shows it, which has a closure that loads it.
    var hasLoader: Bool { loaders.contains { $0.object != nil } }

    /// Whether it was loaded so recently that the store sees no need to load it again.
    var isFresh: Bool {
        guard let limit = options.staleAfter, let age, machine.loadError == nil else { return false }
        return age() < limit
    }

    var state: LoadState<Value> {
        if machine.isLoading { return .loading(previous: value) }
        if let error = machine.loadError { return .failed(error, previous: value) }
        return value.map { .loaded($0) } ?? .idle
    }

    var pending: [PendingMutation] {
        let failed = machine.failures.map { failure in
            PendingMutation(
                id: failure.id,
                label: failure.label,
                status: .failed,
                error: FeatureError(failure.outcome, of: failure.id, label: failure.label)
            )
        }
        return failed + machine.log.all.map(pendingMutation)
    }

    private func pendingMutation(_ entry: MutationLog<Value>.Entry) -> PendingMutation {
        let mutation = entry.mutation
        let status: PendingMutation.Status =
            switch entry.phase {
            case .queued: .queued
            case .sending: .sending
            case .unconfirmed: .unconfirmed
            }
        let error = tickets[mutation.id]?.lastError.map {
            FeatureError.unconfirmed(mutation.id, label: mutation.label, cause: $0)
        }
        return PendingMutation(id: mutation.id, label: mutation.label, status: status, error: error)
    }

    /// Whether it is not known yet what became of a mutation.
    func isPending(_ mutation: IdempotencyKey) -> Bool { machine.log.all.contains { $0.ids.contains(mutation) } }

    /// Whether the server may have given it another ID that is not known yet.
    var isBeingMade: Bool { creation.map(isPending) ?? false }

    /// A list makes it by a mutation, which goes on without the list.
    func isMade(by mutation: IdempotencyKey) { creation = mutation }

    func hasFailed(_ mutation: IdempotencyKey) -> Bool { machine.failures.contains { $0.id == mutation } }

    // MARK: Loaders

    func attach(_ loader: Loader<ID, Value>) {
        loaders.removeAll { $0.object == nil }
        loaders.append(WeakReference(loader))
        subscribers.join()
    }

    /// Whoever detaches last takes the load along.
    func detach(_ loader: Loader<ID, Value>) {
        loaders.removeAll { $0.object == nil || $0.object === loader }
        subscribers.leave()
        store?.release(self)
    }

    // MARK: Loading

    /// Joins the load under way, if that will do, or starts one; says whether it has.
    func load(on owner: any Actor) -> Bool {
        self.owner = owner
        isWanted = true
        if isFresh || machine.canJoinLoad && subscribers.awaitsLoad { return false }
        startLoad(on: owner, isReload: false)
        return true
    }

    func reload() {
        guard let owner else {
            preconditionFailure("The actor that a loader's last load ran on is gone. Call load(_:) on the present one.")
        }
        startLoad(on: owner, isReload: true)
    }

    /// Cancels the load under way, unless other loaders wait for it.
    func cancelLoad() {
        guard load != nil, subscribers.count == 1 else { return }
        subscribers.cancelLoad()
        forgetLoad()
        publish(.cancelled)
    }

    private func forgetLoad() {
        if let load { machine.cancel(load) }
        load = nil
    }

    private func startLoad(on owner: any Actor, isReload: Bool) {
        // The latest comer's: the closures of loaders that share a record bring the same.
        guard let source = loaders.last(where: { $0.object != nil })?.object?.source else { return }
        let (operation, share) = (isReload || othersMayBeBehind ? source.reload : source.load, LoadShare())
        if source.isShared { othersMayBeBehind = false }
        invalidate = source.invalidate
        self.share = share
        let load = machine.beginLoad()
        self.load = load
        publish(.other)
        let (id, session) = (id, Session(counter))
        // Captured by name, not in a capture list: with Swift 6.3 a list makes a closure of nonisolated code run off its
        // caller's actor (swiftlang/swift#87097).
        // Detached: neither task-local values nor the cancellation of whoever asked first are the load's (C3).
        let task = startDetachedTask(on: owner) {
            let result: Result<Value, any Error>
            do {
                result = .success(
                    try await self.options.loadRetries.run(
                        on: self.options.clock,
                        unless: self.options.isRejection
                    ) {
                        // A14: superseded, cancelled or of another session by now, it need not reach the closure.
                        try session.check()
                        return try await operation(id, share)
                    }
                )
            } catch {
                result = .failure(error)
            }
            self.finish(load, with: result)
        }
        subscribers.follow(task)
    }

    private func finish(_ load: LoadStamp, with result: Result<Value, any Error>) {
        // What has been superseded or cancelled does not land, even if its closure ignores that.
        guard machine.isCurrent(load) else { return }
        self.load = nil
        share = nil
        subscribers.endLoad()
        switch result {
        case .success(let value):
            age = options.stopwatch()
            let revision = options.revision?(value)
            apply(.landed) { $0.finish(load, with: value, revision: revision) }
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
    }

    /// A10: takes what a page has brought of it.
    func merge(_ value: Value, of page: LoadStamp) {
        age = options.stopwatch()
        let revision = options.revision?(value)
        apply { $0.finish(page, with: value, revision: revision) }
    }

    /// Loads it again if it is not fresh and some loader shows it, when what is pending has been sent.
    func refresh() {
        retryPending()
        if hasLoader, isWanted, !isFresh { apply { $0.expectReload() } }
    }

    // MARK: Mutations

    func mutate(_ mutation: Mutation<Value>, on owner: any Actor) -> MutationTicket {
        self.owner = owner
        return mutate(mutation)
    }

    func mutate(_ mutation: Mutation<Value>) -> MutationTicket {
        let ticket = tickets[mutation.id] ?? MutationTicket(label: mutation.label)
        turn {
            if tickets.updateValue(ticket, forKey: mutation.id) == nil { apply { $0.append(mutation) } }
            // Whoever makes a mutation now wants it sent now, and what is before it first.
            if isStalled { retryPending() }
        }
        return ticket
    }

    private var isStalled: Bool {
        guard let first = machine.log.first else { return false }
        return tickets[first.mutation.id]?.stall != nil
    }

    func retryPending() {
        guard let entry = machine.log.first, case .unconfirmed(let attempts) = entry.phase else { return }
        sending?.cancel()
        earlierAttempts = attempts
        for ticket in tickets.values { ticket.stall = nil }
        apply { $0.resend(entry.mutation.id) }
    }

    func dismiss(_ mutation: IdempotencyKey) {
        apply { machine in
            machine.dismiss(mutation)
            return []
        }
    }

    func beginEpoch() {
        sending?.cancel()
        subscribers.cancelLoad()
        load = nil
        age = nil
        isWanted = false
        // A14: who shares the load is of the same session.
        share?.end?()
        share = nil
        invalidate?(id)
        apply { $0.beginEpoch() }
    }

    private func send(_ mutation: Mutation<Value>, attempt: Int) {
        guard let owner else { return }
        if attempt == 1 { earlierAttempts = 0 }
        let (id, session) = (mutation.id, Session(counter))
        sending = startDetachedTask(on: owner) {
            // A14: the session may have ended since this was started, and ended the task.
            guard session.isCurrent else { return }
            let result: Result<Mutation<Value>.Reply, any Error>
            do {
                result = .success(try await self.options.retries.retrying { try await mutation.send(id) })
            } catch {
                result = .failure(error)
            }
            // The same change may have been made again in the next session, which this response is not for.
            if session.isCurrent { self.finish(id, with: result) }
        }
    }

    private func finish(_ mutation: IdempotencyKey, with result: Result<Mutation<Value>.Reply, any Error>) {
        switch result {
        case .success(let reply): acknowledge(mutation, with: reply)
        case .failure(let error) where options.isRejection(error): apply { $0.reject(mutation, error) }
        case .failure(let error):
            tickets[mutation]?.lastError = error
            apply { $0.loseReply(to: mutation) }
        }
    }

    private func acknowledge(_ mutation: IdempotencyKey, with reply: Mutation<Value>.Reply) {
        guard case .value(let value) = reply else { return apply { $0.acknowledge(mutation, with: reply) } }
        let revision = options.revision?(value)
        guard let store, let newID = newID(in: value, after: mutation) else {
            return apply { $0.acknowledge(mutation, with: reply, revision: revision) }
        }
        // In one turn, so that nobody sees it under both.
        store.turn {
            if let other = store.rename(self, from: id, to: newID) {
                other.adopt(self, acknowledging: mutation, with: value, revision: revision)
            } else {
                id = newID
                apply { $0.acknowledge(mutation, with: reply, revision: revision) }
                if isLoadOfOldID { loadAgain() }
            }
        }
    }

    /// A11: the ID that the server has given the record instead of its present one.
    private func newID(in value: Value, after mutation: IdempotencyKey) -> ID? {
        // What another session has sent is none of this one's records.
        guard let store, let identity = store.identity, machine.log.first?.mutation.id == mutation else { return nil }
        let newID = store.currentID(of: identity(value))
        return newID == id ? nil : newID
    }

    /// A11: `other` has turned out to be this record: takes over its loaders, and what is pending in it.
    private func adopt(_ other: Record, acknowledging mutation: IdempotencyKey, with value: Value, revision: Int?) {
        owner = owner ?? other.owner
        isWanted = isWanted || other.isWanted
        tickets.merge(other.tickets) { own, _ in own }
        other.tickets = [:]
        let loaders = other.loaders.compactMap(\.object)
        for loader in loaders { loader.follow(other, to: self) }
        let mustLoad = other.isLoadOfOldID
        other.subscribers.cancelLoad()
        let takenOver = other.takeMachine()
        if mustLoad, load == nil { loadAgain() }
        apply { $0.adopt(takenOver, acknowledging: mutation, with: value, revision: revision) }
        // There is an answer, so there is a network.
        if isStalled { retryPending() }
    }

    /// What it knows, which it knows no longer: nothing of it is pending here, and no load lands.
    private func takeMachine() -> Machine {
        let taken = machine
        machine = Machine()
        store?.note(self)
        return taken
    }

    /// Whether there is a load, under way or failed, that says nothing any more about a record with another ID.
    private var isLoadOfOldID: Bool { load != nil || machine.loadError != nil }

    private func scheduleResend(_ id: IdempotencyKey, after attempts: Int) {
        guard let owner else { return }
        var generator = SystemRandomNumberGenerator()
        guard let delay = options.retries.delay(after: attempts - earlierAttempts, using: &generator) else {
            return stall(for: id)
        }
        let (clock, asked) = (options.clock, Duration.asked(for: tickets[id]?.lastError))
        sending = startDetachedTask(on: owner) {
            try? await clock.sleep(for: delay + asked)
            // Cancelled when the session ends, too.
            if !Task.isCancelled { self.apply { $0.resend(id) } }
        }
    }

    /// Nothing is sent any more by itself, neither the first mutation nor those behind it.
    private func stall(for id: IdempotencyKey) {
        guard let error = tickets[id]?.lastError else { return }
        for (id, ticket) in tickets { ticket.stall = .unconfirmed(id, label: ticket.label, cause: error) }
    }

    // MARK: Events

    /// Lets the machine take an event, has its effects, and tells observers when that is done.
    private func apply(_ change: Change = .other, _ event: (Machine) -> [Machine.Effect]) {
        turn {
            let effects = event(machine)
            store?.note(self)
            publish(change)
            for effect in effects {
                switch effect {
                case .send(let mutation, let attempt): send(mutation, attempt: attempt)
                case .scheduleResend(let id, let attempts): scheduleResend(id, after: attempts)
                case .settle(let ids, let outcome): for id in ids { settle(id, outcome) }
                case .reload: loadAgain()
                }
            }
        }
    }

    /// As ``RecordStore/turn(_:)`` does; without a store there is nobody to be told.
    private func turn(_ change: () -> Void) {
        if let store { store.turn(change) } else { change() }
    }

    /// By a loader that shows it, or else by the lists that it is on.
    private func loadAgain() {
        age = nil
        // Loaders that nobody has asked for anything in this session are no reason to load.
        if !hasLoader || !isWanted {
            store?.expectReload(of: self)
        } else if let owner {
            startLoad(on: owner, isReload: true)
        }
    }

    private func settle(_ id: IdempotencyKey, _ outcome: MutationOutcome) {
        // C7: a load from before this is not to be joined.
        invalidate?(self.id)
        othersMayBeBehind = true
        guard let ticket = tickets.removeValue(forKey: id) else { return }
        ticket.settle(FeatureError(outcome, of: id, label: ticket.label).map { .failure($0) } ?? .success(()))
        store?.release(self)
    }

    private func publish(_ change: Change) {
        for loader in loaders { loader.object?.recordHasChanged(self, change) }
        store?.recordHasChanged(self)
    }
}
