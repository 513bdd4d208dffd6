internal import BackplaneConcurrency
public import Observation

/// Loads a value by its ID and keeps what there is to show of it.
///
/// A feature is given an ID and a closure; the loader does the rest. It knows neither network nor storage, and a view
/// observes it through Observation.
///
/// ```swift
/// @MainActor final class CourseModel {
///     let course: Loader<Course.ID, Course>
///
///     init(load: @escaping (Course.ID) async throws -> Course) {
///         course = Loader(load)
///     }
///
///     func open(_ id: Course.ID) {
///         course.load(id)
///     }
/// }
/// ```
///
/// **Isolation.** A loader is not `Sendable`; it belongs to the actor it is used on, and its closure, its values and all its
/// changes stay there. The actor is learnt from ``load(_:isolation:)``, so a loader can be the stored property of any actor or
/// of a class that lives on one. It is not kept alive by the loader, except while a load is under way.
///
/// With Swift 6.3 and before, write a closure that is formed outside any actor (in a class that is not `@MainActor`) without a
/// capture list: the compiler then runs a closure that has one off its actor (swiftlang/swift#87097).
///
/// **Order.** The state has changed when a method returns. Only the newest load counts: a load of another ID
/// supersedes the one under way, and the older result never lands, even if its closure ignores cancellation.
///
/// **Lifetime.** A loader that goes away cancels its load, unless another of its store waits for it.
///
/// **Mutations.** What ``mutate(_:)`` changes shows at once, and is kept apart from what was loaded until the server has
/// answered: see <doc:OptimisticMutation>.
///
/// **Cancellation.** `CancellationError` is never a failure: the state goes back to what it was before the load.
public final class Loader<ID: Hashable, Value>: Observable {
    /// What is shown again if the first load of what is shown now is cancelled.
    private struct Fallback {
        let record: Record<ID, Value>?
    }

    let source: LoadSource<ID, Value>
    private let store: RecordStore<ID, Value>
    @usableFromInline let changes = ChangeCount()
    /// Whether observers are to be told of a change.
    private var isChanged = false
    /// The value to show, if that has been asked for since the last change.
    @usableFromInline var cachedValue: Value??
    private var shown: Record<ID, Value>?
    private var fallback: Fallback?
    /// Who waits for the load to end; made when somebody does.
    private var waiters: Waiters?

    /// A loader at rest.
    ///
    /// - Parameters:
    ///   - store: where its records are kept; loaders with the same one share records and loads. By default one of its own.
    ///   - load: brings the value of an ID; called on the loader's actor, once per load.
    public init(store: RecordStore<ID, Value>? = nil, _ load: @escaping (ID) async throws -> Value) {
        self.store = store ?? .ofItsOwn()
        source = LoadSource(load)
    }

    /// A loader at rest whose loads are shared with whoever uses `loads`, on any actor.
    ///
    /// A load that is under way is joined, unless it began before the last mutation of this store's record was settled;
    /// ``reload()`` and ``retry()`` start one that takes its place for everybody.
    ///
    /// - Parameters:
    ///   - store: where its records are kept; loaders with the same one share records. By default one of its own.
    ///   - loads: bring the value of an ID.
    public init(store: RecordStore<ID, Value>? = nil, sharing loads: SharedLoads<ID, Value>)
    where ID: Sendable, Value: Sendable {
        self.store = store ?? .ofItsOwn()
        source = LoadSource(loads)
    }

    deinit {
        shown?.subscribers.leave()
        fallback?.record?.subscribers.leave()
    }

    /// What there is to show, with the mutations that are not settled; observable.
    public var state: LoadState<Value> { observed?.state ?? .idle }

    /// The value to show, as ``LoadState/value`` has it; observable.
    @inlinable public var value: Value? {
        // Inlined: where the types are known, it costs what an observed stored property does.
        changes.observe()
        return cachedValue ?? currentValue()
    }

    /// The ID that ``state`` speaks of, nil at first and after ``RecordStore/reset()``; observable.
    public var id: ID? {
        guard let observed, observed.isWanted else { return nil }
        return observed.id
    }

    /// The mutations of the value that are not settled, in order, after those that failed and were not dismissed; observable.
    public var pending: [PendingMutation] { observed?.pending ?? [] }

    /// What is shown, unless the session is over in which somebody asked for it.
    private var wanted: Record<ID, Value>? { shown.flatMap { $0.isWanted ? $0 : nil } }

    private var observed: Record<ID, Value>? {
        changes.observe()
        return shown
    }

    @usableFromInline func currentValue() -> Value? {
        let value = shown?.value
        if !store.counter.isFolding { cachedValue = .some(value) }
        return value
    }

    private func publish() {
        guard !isChanged else { return }
        isChanged = true
        store.note(self)
    }

    /// Loads the value of `id` on the caller's actor.
    ///
    /// A load of the same ID that is under way is joined; one of another ID is superseded. A value of the same ID that
    /// has been loaded stays visible meanwhile; one of another ID does not. A value that the store takes for fresh is not
    /// loaded again.
    ///
    /// Code whose actor the compiler does not know (a synchronous method of a class that lives on *some* actor) does not
    /// compile here; it says which actor it is on with ``load(_:on:)``.
    ///
    /// - Parameters:
    ///   - id: what to load.
    ///   - isolation: the actor to load on; leave it to its default.
    public func load(_ id: ID, isolation: isolated any Actor = #isolation) {
        load(id, on: isolation)
    }

    /// Loads the value of `id` on `owner`, as ``load(_:isolation:)`` does.
    ///
    /// - Parameters:
    ///   - id: what to load.
    ///   - owner: the actor that the caller is running on.
    /// - Precondition: the caller is running on `owner`.
    public func load(_ id: ID, on owner: any Actor) {
        store.turn { show(id, on: owner) }
    }

    private func show(_ id: ID, on owner: any Actor) {
        let isAnother = shown?.id != store.currentID(of: id)
        let record = isAnother ? show(id) : shown
        let hasStarted = record?.load(on: owner) ?? false
        guard isAnother, !hasStarted else { return }
        // A fresh one is there already; otherwise a load of it has been joined.
        if record?.isLoading == false {
            keepShown()
            waiters?.resumeAll()
        }
        publish()
    }

    /// Loads the current ID again, on the actor of the last load, and keeps its value visible meanwhile.
    ///
    /// A load that is under way is superseded rather than joined: it may have begun before the reason to reload. Does
    /// nothing as long as ``id`` is nil.
    public func reload() {
        wanted?.reload()
    }

    /// Loads the current ID again, on the actor of the last load, if its last load failed; does nothing otherwise.
    public func retry() {
        if case .failed = wanted?.state { reload() }
    }

    /// Cancels the load under way and goes back to the state before it; does nothing at rest.
    ///
    /// A load that other loaders of the store wait for goes on.
    public func cancel() {
        store.turn {
            shown?.cancelLoad()
            fallBack()
        }
    }

    /// Changes the value at once, tells the server, and suspends until the server has said yes or no.
    ///
    /// Whatever happens next, the change is visible once: loads that land in between do not hide it, and a refusal removes it
    /// and nothing else. The mutations of a record are sent one at a time, in order; those of different records side by side.
    /// One whose outcome is unknown (no answer came) stays visible and is sent again, with the same key.
    ///
    /// The change is visible before this suspends, if there is a value. Before the first load has landed, there is nothing to try
    /// it on: it is sent all the same, and applied to what is loaded.
    ///
    /// Called in a `Task`, this runs when the task does; to have the change show in the same turn, ``enqueue(_:)`` it. Cancelling the caller ends the wait, not the mutation; nor does the loader's
    /// end, or another ID. A mutation that is under way already is joined. When every attempt has ended without an answer,
    /// it waits, and those behind it; the next call has it sent again.
    ///
    /// - Throws: ``FeatureError``: `rejected`, `targetMissing`, `dependencyFailed` and `sessionEnded` when it was not carried
    ///   out, and is not visible any more; `unconfirmed` when no attempt at it, or at one before it, brought an answer, and
    ///   it still is; `notLoaded` when ``id`` is nil. `CancellationError` when the caller is cancelled.
    public func mutate(_ mutation: Mutation<Value>) async throws {
        guard let wanted else { throw FeatureError.notLoaded(mutation.id, label: mutation.label) }
        try await wanted.mutate(mutation).outcome()
    }

    /// Changes the value at once and tells the server, as ``mutate(_:)`` does, and does not wait: for a button's action, which
    /// has to show in the turn in which it is pressed.
    ///
    /// What became of it is in ``pending``, unless it was carried out.
    ///
    /// ```swift
    /// try todos.enqueue(tick)
    /// ```
    ///
    /// - Throws: ``FeatureError`` with `notLoaded` when ``id`` is nil.
    public func enqueue(_ mutation: Mutation<Value>) throws {
        guard let wanted else { throw FeatureError.notLoaded(mutation.id, label: mutation.label) }
        _ = wanted.mutate(mutation)
    }

    /// Sends again, without waiting longer, the mutation of which it is not known what became; its retries begin anew.
    public func retryPending() {
        shown?.retryPending()
    }

    /// Removes a mutation that failed from ``pending``: the person has seen it.
    public func dismiss(_ mutation: PendingMutation.ID) {
        shown?.dismiss(mutation)
    }

    /// Suspends while a load is under way, until one has landed, failed or been cancelled.
    ///
    /// Returns at once when there is none, and when the waiting task is cancelled, which leaves the load alone. A
    /// superseded load does not end the wait, the one that superseded it does. Any number of callers may wait.
    public func settled() async {
        guard shown?.isLoading == true else { return }
        let waiters = waiters ?? Waiters()
        self.waiters = waiters
        await waiters.wait()
    }

    /// Shows another record, tentatively: until a load of it has ended.
    private func show(_ id: ID) -> Record<ID, Value> {
        let record = store.record(id)
        let previous = shown
        shown = record
        guard let fallback else {
            fallback = Fallback(record: previous)
            record.attach(self)
            // Superseded; it stays attached, for it may be shown again.
            previous?.cancelLoad()
            return record
        }
        if fallback.record === record {
            self.fallback = nil
        } else {
            record.attach(self)
        }
        previous?.detach(self)
        return record
    }

    /// What is shown is shown for good.
    private func keepShown() {
        fallback?.record?.detach(self)
        fallback = nil
    }

    private func fallBack() {
        guard let fallback else { return }
        self.fallback = nil
        let tentative = shown
        shown = fallback.record
        tentative?.detach(self)
        publish()
        waiters?.resumeAll()
    }

    /// A11: a record that this is attached to has turned out to be another.
    func follow(_ record: Record<ID, Value>, to other: Record<ID, Value>) {
        let isAttached = shown === other || fallback?.record === other
        if isAttached { fallback = nil } else { other.attach(self) }
        if shown === record { shown = other }
        if fallback?.record === record { fallback = Fallback(record: other) }
    }

    /// Called by a record that this is attached to, after a change.
    func recordHasChanged(_ record: Record<ID, Value>, _ change: Record<ID, Value>.Change) {
        guard record === shown else { return }
        switch change {
        case .landed: keepShown()
        case .cancelled: fallBack()
        case .other: break
        }
        publish()
        if !record.isLoading { waiters?.resumeAll() }
    }
}

extension Loader: StoreObserver {
    func forget() {
        isChanged = false
        cachedValue = nil
    }

    func tell() { changes.publish() }
}

/// Read by whatever can be observed of a loader, and changed with it.
///
/// A type of its own, because the key paths by which observation knows properties are made at each access where the type
/// is generic, which takes a microsecond.
@Observable @usableFromInline final class ChangeCount {
    private var count = 0

    @usableFromInline func observe() {
        _ = count
    }

    func publish() {
        count &+= 1
    }
}
