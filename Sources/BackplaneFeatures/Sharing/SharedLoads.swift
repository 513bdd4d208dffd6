internal import BackplaneConcurrency

/// Loads that callers on any actors share: whoever asks for a value that is being loaded already waits for that load.
///
/// ```swift
/// let courses = SharedLoads { (id: Course.ID) in try await api.course(id) }
///
/// async let first = courses.value(for: "abc123")
/// async let second = courses.value(for: "abc123")
/// let both = try await [first, second]  // One request.
/// ```
///
/// It keeps loads that are under way, and no values: ask again afterwards, and it is loaded again. A ``Loader`` takes one in
/// place of a closure (``Loader/init(store:sharing:)``), so that the windows of an app share requests.
///
/// **The key** says all that the value depends on. If that is who is logged in, or a language, it is part of the key, or
/// ``invalidateAll()`` is called when it changes. Load only what may be asked for twice without harm: a GET (RFC 9110, section
/// 9.2.1), not a purchase.
///
/// **Isolation.** Loads run on no caller's actor, with the task-local values of none, and are as urgent as the most urgent
/// caller.
///
/// **Cancellation.** A caller that is cancelled is resumed at once, with `CancellationError`, and the load goes on for the others.
/// When nobody waits any more it is cancelled, after a while if `linger` says so. Who asks after that starts a new one.
///
/// **Lifetime.** A load that is under way keeps this alive.
public final class SharedLoads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State: Sendable {
        var table: LoadStateMachine<Key>
        var tasks: [LoadNumber: Task<Void, Never>] = [:]
    }

    private let state: Locked<State>
    private let retries: RetryPolicy
    private let isRejection: @Sendable (any Error) -> Bool
    private let linger: Duration?
    private let clock: any Clock<Duration>
    private let load: @Sendable (Key) async throws -> Value

    /// Nothing is being loaded yet.
    ///
    /// - Parameters:
    ///   - retries: how often a load that has failed is tried again before its callers are told; by default never.
    ///   - isRejection: whether an error is the server's definite answer, so that trying again is of no use: a status from 400
    ///     to 499 other than 401, 408, 425 and 429, say. By default the errors that are a ``DefiniteRejection`` are.
    ///   - linger: how long a load goes on when nobody waits for it any more, so that who asks again can join it. By default it is
    ///     cancelled at once.
    ///   - clock: what delays are measured by.
    ///   - load: brings the value of a key.
    public init(
        retries: RetryPolicy = .never,
        isRejection: @escaping @Sendable (any Error) -> Bool = { $0 is any DefiniteRejection },
        linger: Duration? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        _ load: @escaping @Sendable (Key) async throws -> Value
    ) {
        state = Locked(State(table: LoadStateMachine(lingers: linger != nil)))
        self.retries = retries
        self.isRejection = isRejection
        self.linger = linger
        self.clock = clock
        self.load = load
    }

    /// Whether nothing is under way and nobody waits.
    package var isIdle: Bool { state.withLock { $0.table.isEmpty && $0.tasks.isEmpty } }

    /// How many have asked and have not been answered.
    package var callerCount: Int { state.withLock { $0.table.callerCount } }

    /// The value of `key`, from the load that is under way or, if there is none, from a new one.
    ///
    /// A load from before the last ``invalidate(_:)`` of the key is not joined.
    ///
    /// - Parameters:
    ///   - key: what to load.
    ///   - timeout: how long to wait; the load goes on without this caller as it does when the caller is cancelled. By default
    ///     as long as it takes.
    ///   - isolation: the caller's actor, which this does not leave; leave it to its default.
    /// - Returns: what the load has brought.
    /// - Throws: what the load throws; ``FeatureError`` with `timedOut`; `CancellationError` when the caller is cancelled.
    public func value(
        for key: Key,
        within timeout: Duration? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try await answer(key, timeout, isReload: false)
    }

    /// The value of `key` as it is from now on, from a load that takes the place of one that is under way.
    ///
    /// Those who wait for that one get this one's value; nobody is cancelled.
    ///
    /// - Parameters:
    ///   - key: what to load.
    ///   - timeout: how long to wait, as in ``value(for:within:isolation:)``.
    ///   - isolation: the caller's actor, which this does not leave; leave it to its default.
    /// - Returns: what the new load has brought.
    /// - Throws: as ``value(for:within:isolation:)`` does.
    public func reload(
        _ key: Key,
        within timeout: Duration? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try await answer(key, timeout, isReload: true)
    }

    /// Says that the value of `key` has changed: who asks from now on joins no load that has begun before.
    ///
    /// Those who wait already asked before that, and are answered by the load they wait for.
    public func invalidate(_ key: Key) {
        change { state in perform(state.table.invalidate(key), key, nil, in: &state) }
    }

    /// Ends every load: for log-in, log-out and the switch of accounts.
    ///
    /// Callers who wait get a `CancellationError`, and never a value of the next session. A load that pauses between two
    /// tries is not tried again.
    public func invalidateAll() {
        var groups: [LoadGroup] = []
        change { state in
            groups = state.table.endAll()
            defer { state.tasks = [:] }
            return Array(state.tasks.values)
        }
        for group in groups { group.answer.give(LoadFailure(CancellationError())) }
    }

    /// A14: ends a load whose session is over, for all its callers.
    private func end(_ key: Key, _ group: LoadGroup) {
        change { state in perform(state.table.end(key, group), key, group, in: &state) }
        // If the load has answered, that counts.
        group.answer.give(LoadFailure(CancellationError()))
    }

    // MARK: Waiting

    /// The value of `key` for a record, which ends the load for all its callers when its session ends.
    func value(
        for key: Key,
        isReload: Bool,
        as share: LoadShare,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try await answer(key, nil, isReload: isReload, as: share)
    }

    private func answer(
        _ key: Key,
        _ timeout: Duration?,
        isReload: Bool,
        as share: LoadShare? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try Task.checkCancellation()
        // Before anything can suspend: from here on this caller counts (C4).
        let caller = join(key, isReload: isReload)
        share?.end = { [weak self] in self?.end(key, caller.group) }
        let answer =
            if let timeout {
                await answer(to: caller, within: timeout)
            } else {
                await caller.group.answer.wait(as: caller.number)
            }
        if let answer {
            if let failure = answer as? LoadFailure { throw failure.error }
            return downcast(answer, to: LoadedValue<Value>.self).value
        }
        change { state in perform(state.table.leave(key, caller.group), key, caller.group, in: &state) }
        try Task.checkCancellation()
        throw FeatureError.timedOut(key, after: timeout ?? .zero)
    }

    private func join(_ key: Key, isReload: Bool) -> LoadCaller {
        let priority = Task.currentPriority
        var superfluous: [Task<Void, Never>] = []
        let caller = state.withLock { state in
            let (caller, effects) =
                isReload ? state.table.reload(key, priority: priority) : state.table.join(key, priority: priority)
            // Most who join cause nothing.
            if !effects.isEmpty { superfluous = perform(effects, key, caller.group, in: &state) }
            return caller
        }
        for task in superfluous { task.cancel() }
        return caller
    }

    private func answer(
        to caller: LoadCaller,
        within timeout: Duration
    ) async -> (any AnyObject & Sendable)? {
        let (answer, number) = (caller.group.answer, caller.number)
        return await withTaskGroup { group in
            group.addTask { await answer.wait(as: number) }
            group.addTask { [clock] in
                try? await clock.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Changes the state, and then cancels the tasks that have become superfluous, which calls out.
    private func change(_ event: (inout State) -> [Task<Void, Never>]) {
        var superfluous: [Task<Void, Never>] = []
        state.withLock { superfluous = event(&$0) }
        for task in superfluous { task.cancel() }
    }

    // MARK: Loading

    /// Has the effects of an event.
    ///
    /// - Returns: the tasks that are to be cancelled.
    private func perform(
        _ effects: [LoadEffect],
        _ key: Key,
        _ group: LoadGroup?,
        in state: inout State
    ) -> [Task<Void, Never>] {
        var superfluous: [Task<Void, Never>] = []
        for effect in effects {
            switch effect {
            case .start(let load, let priority):
                if let group { state.tasks[load] = start(load, key, for: group, priority) }
            case .escalate(let load, let priority):
                // A task is made as urgent as the most urgent of those that await its value.
                if let task = state.tasks[load] { Task.detached(priority: priority) { await task.value } }
            case .cancel(let load):
                if let task = state.tasks.removeValue(forKey: load) { superfluous.append(task) }
            case .linger(let load, let idleGeneration):
                guard let linger else { break }
                Task.detached { [clock] in
                    try? await clock.sleep(for: linger)
                    self.change { state in
                        self.perform(state.table.endLinger(key, load, idleGeneration), key, group, in: &state)
                    }
                }
            }
        }
        return superfluous
    }

    private func isCurrent(_ load: LoadNumber) -> Bool {
        state.withLock { $0.table.isCurrent(load) }
    }

    private func start(
        _ load: LoadNumber,
        _ key: Key,
        for group: LoadGroup,
        _ priority: TaskPriority
    ) -> Task<Void, Never> {
        // Detached: neither task-local values nor the cancellation of whoever came first are the load's (C3). Only whether
        // somebody tries again is: retries must not multiply.
        let isRetried = Retrying.isUnderWay
        return Task.detached(priority: priority) {
            let answer: any AnyObject & Sendable
            do {
                let value = try await Retrying.$isUnderWay.withValue(isRetried) {
                    try await self.retries.run(on: self.clock, unless: self.isRejection) {
                        // A14: ended or superseded by now, it need not reach the closure.
                        guard self.isCurrent(load) else { throw CancellationError() }
                        return try await self.load(key)
                    }
                }
                answer = LoadedValue(value)
            } catch {
                answer = LoadFailure(error)
            }
            let isCurrent = self.state.withLock { state in
                state.tasks[load] = nil
                return state.table.finish(key, load)
            }
            if isCurrent { group.answer.give(answer) }
        }
    }
}

/// The answer of a load that has brought a value.
private final class LoadedValue<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// The answer of a load that has failed.
private final class LoadFailure: Sendable {
    let error: any Error

    init(_ error: any Error) {
        self.error = error
    }
}
