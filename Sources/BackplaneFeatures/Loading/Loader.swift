internal import BackplaneConcurrency
public import Observation

/// An observable loader of one value by its ID, with the state to show.
///
/// A feature receives an ID and a closure that loads a value; the loader does the rest. It does not
/// depend on a network or a storage, and views observe it through Observation.
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
/// **Isolation.** A loader is not `Sendable`. It belongs to the actor that uses it, and its
/// closure, its values and all its changes stay on that actor. The loader learns the actor from
/// ``load(_:on:)``, so any actor, or a class that lives on an actor, can store a loader. A
/// loader keeps the actor alive only while a load is under way.
///
/// If you form the closure outside any actor (in a class that is not `@MainActor`), write it
/// without a capture list. Up to Swift 6.3, the compiler runs a closure with a capture list outside
/// its actor (swiftlang/swift#87097).
///
/// **Order.** The state has changed when a method returns. Only the newest load counts. A load of
/// another ID supersedes the current one, and the older result never appears, even if its closure
/// ignores cancellation.
///
/// **Lifetime.** When a loader is deallocated, its load is cancelled, unless another loader of its
/// store waits for that load.
///
/// **Mutations.** A change through ``mutate(_:)`` is visible at once. It stays separate from the
/// loaded value until the server responds: see <doc:OptimisticMutation>.
///
/// **Cancellation.** `CancellationError` is never a failure: the state returns to the state before
/// the load.
public final class Loader<ID: Hashable, Value>: Observable {
    /// The record to show again if the first load of the current record is cancelled.
    private struct Fallback {
        let record: Record<ID, Value>?
    }

    let source: LoadSource<ID, Value>
    private let store: RecordStore<ID, Value>
    private let initialValue: ((ID) -> Value?)?
    @usableFromInline let changes = ChangeCount()
    /// Whether a change of this turn must be published.
    private var isChanged = false
    /// The visible value, if it was read since the last change.
    @usableFromInline var cachedValue: Value??
    private var shown: Record<ID, Value>?
    private var fallback: Fallback?
    /// The callers that wait for the load to end; created by the first of them.
    private var waiters: Waiters?

    /// Creates a loader without an ID or a value.
    ///
    /// - Parameters:
    ///   - store: the store for its records; loaders with the same store share records and loads.
    ///     By default the loader has a private store.
    ///   - initialValue: returns the value to show during the first load of an ID, such as one from
    ///     a list; `nil` if none is known.
    ///   - load: loads the value of an ID; called on the loader's actor, once per load.
    public init(
        store: RecordStore<ID, Value>? = nil,
        initially initialValue: ((ID) -> Value?)? = nil,
        _ load: @escaping (ID) async throws -> Value
    ) {
        self.store = store ?? .ofItsOwn()
        self.initialValue = initialValue
        source = LoadSource(load)
    }

    /// Creates a loader without an ID or a value, which shares its loads with all users of `loads`,
    /// on any actor.
    ///
    /// The loader joins a running load, unless that load began before the last mutation of this
    /// store's record was settled. ``reload()`` and ``retry()`` start a load that replaces the
    /// running one for all callers.
    ///
    /// - Parameters:
    ///   - store: the store for its records; loaders with the same store share records. By default
    ///     the loader has a private store.
    ///   - initialValue: returns the value to show during the first load of an ID, such as one from
    ///     a list; `nil` if none is known.
    ///   - loads: the shared loads that load the value of an ID.
    public init(
        store: RecordStore<ID, Value>? = nil,
        initially initialValue: ((ID) -> Value?)? = nil,
        sharing loads: SharedLoads<ID, Value>
    ) where ID: Sendable, Value: Sendable {
        self.store = store ?? .ofItsOwn()
        self.initialValue = initialValue
        source = LoadSource(loads)
    }

    deinit {
        shown?.subscribers.leave()
    }

    /// The state to show, which includes pending mutations; observable.
    public var state: LoadState<Value> { observed?.state ?? .idle }

    /// The value to show, the same as ``LoadState/value``; observable.
    @inlinable public var value: Value? {
        // Inlined: with concrete types, the access costs as much as an observed stored property.
        changes.observe()
        return cachedValue ?? currentValue()
    }

    /// The ID that ``state`` describes, or `nil` before the first load and after
    /// ``RecordStore/reset()``; observable.
    public var id: ID? {
        guard let observed, observed.isWanted else { return nil }
        return observed.id
    }

    /// The mutations of the value: first the failed ones that were not dismissed, then the
    /// unsettled ones in order; observable.
    public var pending: [PendingMutation] { observed?.pending ?? [] }

    /// The shown record, or `nil` if no caller has loaded it in the current session.
    private var wanted: Record<ID, Value>? { shown.flatMap { $0.isWanted ? $0 : nil } }

    private var observed: Record<ID, Value>? {
        changes.observe()
        return shown
    }

    @usableFromInline func currentValue() -> Value? {
        let value = shown?.value
        if !store.logicalClock.isFolding { cachedValue = .some(value) }
        return value
    }

    private func publish() {
        guard !isChanged else { return }
        isChanged = true
        store.note(self)
    }

    /// Loads the value of `id` on the caller's actor.
    ///
    /// If a load of the same ID is under way, the call joins it. A load of another ID is
    /// superseded. A loaded value of the same ID stays visible during the load; a value of another
    /// ID disappears. If the store considers the value fresh, no load starts.
    ///
    /// If the compiler does not know the actor of your code, pass it as `owner`. Without it, the
    /// code does not compile. An example is a synchronous method of a class on *some* actor.
    ///
    /// - Parameters:
    ///   - id: the ID to load.
    ///   - owner: the actor that the caller is running on.
    /// - Precondition: the caller is running on `owner`.
    public func load(_ id: ID, on owner: any Actor = #isolation) {
        store.turn { show(id, on: owner) }
    }

    private func show(_ id: ID, on owner: any Actor) {
        let isAnother = shown?.id != store.currentID(of: id)
        let record = isAnother ? show(id) : shown
        if isAnother, let value = initialValue?(id) { record?.show(initial: value) }
        let hasStarted = record?.load(on: owner) ?? false
        guard isAnother, !hasStarted else { return }
        // Either the value is fresh, or the loader has joined a load of it.
        if record?.isLoading == false {
            keepShown()
            waiters?.resumeAll()
        }
        publish()
    }

    /// Loads the current ID again, on the actor of the last load; the value stays visible.
    ///
    /// A load that is under way is superseded and not joined, because it may have begun before the
    /// change that you want to see. If ``id`` is `nil`, this does nothing.
    public func reload() {
        wanted?.reload()
    }

    /// Loads the current ID again, on the actor of the last load, if its last load failed.
    public func retry() {
        if case .failed = wanted?.state { reload() }
    }

    /// Cancels the current load and returns to the state before it, if a load is under way.
    ///
    /// If other loaders of the store wait for the load, the load continues.
    public func cancel() {
        store.turn {
            shown?.cancelLoad()
            fallBack()
        }
    }

    /// Changes the value at once, sends the mutation to the server, and suspends until the server
    /// accepts or rejects it.
    ///
    /// **Visibility.** The change is visible exactly once. Loads that end in the meantime do not
    /// hide it. A rejection removes this change and the changes that depend on it, and no others.
    /// If a value is loaded, the change is visible before this method suspends. Before the end of
    /// the first load, the mutation is also sent, and the change is applied to the value when it is
    /// loaded.
    ///
    /// In a `Task`, this method runs when the task runs. To show the change in the same turn, call
    /// ``enqueue(_:)``.
    ///
    /// **Order.** The mutations of one record are sent one at a time, in order. Mutations of
    /// different records are sent in parallel. If the same mutation is already under way, the call
    /// joins it.
    ///
    /// **Unknown outcome.** If no response arrives, the change stays visible, and the mutation is
    /// resent with the same key until its outcome is known; ``pending`` says why. Later mutations
    /// of the record wait. The delays grow to five minutes. To resend the mutation at once, call
    /// ``retryPending()``. After 24 hours, the server may have forgotten the key. Then only
    /// ``retryPending()`` resends it.
    ///
    /// **Cancellation.** If the caller is cancelled, only the wait ends. The mutation continues,
    /// also after the loader is deallocated or shows another ID.
    ///
    /// - Throws: ``FeatureError`` with `rejected`, `targetMissing`, `dependencyFailed` or
    ///   `sessionEnded` if the mutation failed and is no longer visible. ``FeatureError`` with
    ///   `notLoaded` if ``id`` is `nil`. `CancellationError` if the caller is cancelled.
    public func mutate(_ mutation: Mutation<Value>) async throws {
        guard let wanted else { throw FeatureError.notLoaded(mutation.id, label: mutation.label) }
        try await mutation.settled { wanted.mutate(mutation, for: $0) }
    }

    /// Changes the value at once and sends the mutation, as ``mutate(_:)`` does, but does not wait.
    ///
    /// Use it for a button whose effect must be visible in the same turn. ``pending`` shows the
    /// mutation until the server has carried it out; if it fails, ``pending`` keeps it with its
    /// error.
    ///
    /// ```swift
    /// try todos.enqueue(tick)
    /// ```
    ///
    /// - Throws: ``FeatureError`` with `notLoaded` if ``id`` is `nil`.
    public func enqueue(_ mutation: Mutation<Value>) throws {
        guard let wanted else { throw FeatureError.notLoaded(mutation.id, label: mutation.label) }
        wanted.mutate(mutation)
    }

    /// Changes the value at once, lets the loader's store send the change, and suspends as
    /// ``mutate(_:)`` does.
    ///
    /// - Throws: the errors of ``mutate(_:)``; ``FeatureError`` with `noSender` if the store cannot
    ///   send changes of this type.
    public func mutate(
        _ change: some RecordChange<Value>,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = []
    ) async throws {
        let options = MutationOptions<Value>(label: label, dependencies: dependencies)
        try await mutate(store.mutation(for: change, of: wanted?.id, options: options))
    }

    /// Changes the value at once, lets the loader's store send the change, and does not wait.
    ///
    /// ```swift
    /// try todos.enqueue(FinishTodo(todo: id))
    /// ```
    ///
    /// - Parameters:
    ///   - change: the change; the `ChangeSender` of the store sends it.
    ///   - label: the name of the mutation in ``pending``.
    ///   - dependencies: mutations of the same record that this one needs.
    /// - Returns: the ID of the mutation, for ``saved(_:)``.
    /// - Throws: ``FeatureError`` with `notLoaded` if ``id`` is `nil`, or with `noSender` if the
    ///   store cannot send changes of this type.
    @discardableResult
    public func enqueue(
        _ change: some RecordChange<Value>,
        label: String? = nil,
        after dependencies: Set<IdempotencyKey> = []
    ) throws -> IdempotencyKey {
        let options = MutationOptions<Value>(label: label, dependencies: dependencies)
        let mutation = try store.mutation(for: change, of: wanted?.id, options: options)
        wanted?.mutate(mutation)
        return mutation.id
    }

    /// Suspends until a mutation of the current ID is on the disk, for a message such as "Saved".
    ///
    /// ```swift
    /// try await todos.saved(todos.enqueue(FinishTodo(todo: id)))
    /// ```
    ///
    /// The server may not have the mutation yet. If the mutation exists only in memory, or is no
    /// longer in ``pending``, the method returns at once. A loader that loads another ID meanwhile
    /// makes no difference.
    ///
    /// - Throws: the ``FeatureError`` of a mutation that failed before it was saved, such as
    ///   `notSaved`; ``pending`` keeps it until you call ``dismiss(_:)``. `CancellationError` if
    ///   the caller is cancelled; the mutation continues.
    public func saved(_ mutation: PendingMutation.ID) async throws {
        try await shown?.saved(mutation)
    }

    /// Resends the unconfirmed mutation immediately.
    public func retryPending() {
        store.sender?.unfinished?.resume()
        shown?.retryPending()
    }

    /// Removes a failed mutation from ``pending``, after the user has seen it.
    ///
    /// If the store sends its changes with an outbox, the change that the server has refused is
    /// removed from the outbox, too.
    public func dismiss(_ mutation: PendingMutation.ID) {
        shown?.dismiss(mutation)
    }

    /// Suspends until the current load has succeeded, failed or been cancelled.
    ///
    /// If no load is under way, the method returns at once. If the waiting task is cancelled, the
    /// wait ends and the load continues. If the load is superseded, the wait continues until the
    /// new load ends. Any number of callers may wait.
    public func settled() async {
        guard shown?.isLoading == true else { return }
        let waiters = waiters ?? Waiters()
        self.waiters = waiters
        await waiters.wait()
    }

    /// Shows another record, tentatively until its load has ended.
    private func show(_ id: ID) -> Record<ID, Value> {
        let record = store.record(id)
        let previous = shown
        shown = record
        guard let fallback else {
            fallback = Fallback(record: previous)
            record.attach(self)
            // The loader stays attached, because it may show this record again, and waits no
            // longer for its load (A29).
            previous?.unsubscribe()
            return record
        }
        if fallback.record === record {
            self.fallback = nil
            record.subscribers.join()
        } else {
            record.attach(self)
        }
        previous?.detach(self)
        return record
    }

    /// Makes the shown record final, so that no cancellation returns to the previous one.
    private func keepShown() {
        fallback?.record?.remove(self)
        fallback = nil
    }

    private func fallBack() {
        guard let fallback else { return }
        self.fallback = nil
        let tentative = shown
        shown = fallback.record
        tentative?.detach(self)
        shown?.resubscribe()
        publish()
        waiters?.resumeAll()
    }

    /// A11: Follows a record that turned out to be the same as another record.
    func follow(_ record: Record<ID, Value>, to other: Record<ID, Value>) {
        let isAttached = shown === other || fallback?.record === other
        if isAttached { fallback = nil } else { other.add(self) }
        if shown === record {
            shown = other
            other.subscribers.join()
        }
        if fallback?.record === record { fallback = Fallback(record: other) }
    }

    /// Handles a change of a record that this loader is attached to.
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

extension Loader where Value: Collection, Value.Element: Identifiable {
    /// Returns the mutations about one element of the value: first the failed ones that were not
    /// dismissed, then the unsettled ones in order; observable.
    ///
    /// - Parameter id: the ID of the element.
    /// - Returns: the mutations.
    public func pending(of id: Value.Element.ID) -> [PendingMutation] { pending.about(id) }
}

extension Loader where Value: SetAlgebra, Value.Element: Hashable {
    /// Returns the mutations about one element of the set, as `pending(of:)` does with a list.
    public func pending(of element: Value.Element) -> [PendingMutation] { pending.about(element) }
}

extension [PendingMutation] {
    fileprivate func about(_ element: AnyHashable) -> Self {
        filter { $0.element.map { AnyHashable($0) } == element }
    }
}

extension Loader: StoreObserver {
    func forget() {
        isChanged = false
        cachedValue = nil
    }

    func tell() { changes.publish() }
}

/// The observable counter that changes whenever an observable property of a loader changes.
///
/// A separate type, because Observation identifies properties by key paths. In a generic type each
/// access creates a new key path, which takes a microsecond.
@Observable @usableFromInline final class ChangeCount {
    private var count = 0

    @usableFromInline func observe() {
        _ = count
    }

    func publish() {
        count &+= 1
    }
}
