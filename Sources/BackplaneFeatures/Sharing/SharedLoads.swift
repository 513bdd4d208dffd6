internal import BackplaneConcurrency

/// Loads that callers on any actors share.
///
/// If a load of a value is running, a caller that asks for the value joins that load.
///
/// ```swift
/// let courses = SharedLoads { (id: Course.ID) in try await api.course(id) }
///
/// async let first = courses.value(for: "abc123")
/// async let second = courses.value(for: "abc123")
/// let both = try await [first, second]  // One request.
/// ```
///
/// It keeps running loads and no values. If you ask after a load has ended, a new load starts. A
/// ``Loader`` can use it in place of a closure (``Loader/init(store:initially:sharing:)``), so that
/// all windows of an app share requests.
///
/// **The key** contains everything that the value depends on. If the value depends on the signed-in
/// user or the language, put that into the key, or call ``invalidateAll()`` when it changes. Load
/// only values that are safe to request twice: a GET (RFC 9110, section 9.2.1), and not a purchase.
///
/// **Isolation.** A load does not run on the actor of a caller, and has no task-local values of its
/// callers. Its priority is the highest priority of its callers.
///
/// **Cancellation.** A cancelled caller resumes at once with `CancellationError`, and the load
/// continues for the other callers. A load without callers is cancelled, at once or after `linger`.
/// A caller that asks after the cancellation starts a new load.
///
/// **Lifetime.** A running load keeps this object alive.
public final class SharedLoads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State: Sendable {
        var machine: LoadStateMachine<Key>
        var tasks: [LoadNumber: Task<Void, Never>] = [:]
    }

    /// The end of a load, for all its callers.
    private typealias End = Box<Result<Value, any Error>>

    private static var cancelled: End { Box(.failure(CancellationError())) }

    private let state: Locked<State>
    private let retries: RetryPolicy
    private let isRejection: @Sendable (any Error) -> Bool
    private let linger: Duration?
    private let clock: any Clock<Duration>
    private let load: @Sendable (Key) async throws -> Value

    /// Creates shared loads, without any running load.
    ///
    /// - Parameters:
    ///   - retries: how often a failed load is repeated before its callers receive the error; by
    ///     default never.
    ///   - isRejection: whether an error is a final response of the server, so a retry is useless.
    ///     By default, errors that conform to ``DefiniteRejection`` are rejections, and so are
    ///     errors of `BackplaneNetworking` whose `isRefusal` is true.
    ///   - linger: how long a load without callers continues, so that a later caller can join it.
    ///     By default it is cancelled at once.
    ///   - clock: the clock for delays.
    ///   - load: loads the value of a key.
    public init(
        retries: RetryPolicy = .never,
        isRejection: (@Sendable (any Error) -> Bool)? = nil,
        linger: Duration? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        _ load: @escaping @Sendable (Key) async throws -> Value
    ) {
        state = Locked(State(machine: LoadStateMachine(lingers: linger != nil)))
        self.retries = retries
        self.isRejection = isRejection ?? { $0.isKnownRejection }
        self.linger = linger
        self.clock = clock
        self.load = load
    }

    /// Whether no load is running and no caller waits.
    package var isIdle: Bool { state.withLock { $0.machine.isEmpty && $0.tasks.isEmpty } }

    /// The number of callers that wait for a result.
    package var callerCount: Int { state.withLock { $0.machine.callerCount } }

    /// Returns the value of `key`, from the running load or from a new load.
    ///
    /// The caller does not join a load that began before the last ``invalidate(_:)`` of the key.
    ///
    /// - Parameters:
    ///   - key: the key to load.
    ///   - timeout: the longest time to wait. After this time, the caller leaves the load in the
    ///     same way as a cancelled caller. By default there is no limit.
    ///   - isolation: the actor of the caller, which the wait stays on; leave it to its default.
    /// - Returns: the loaded value.
    /// - Throws: the error of the load; ``FeatureError`` with `timedOut`; `CancellationError` if
    ///   the caller is cancelled.
    public func value(
        for key: Key,
        within timeout: Duration? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try await sharedValue(key, timeout, .join)
    }

    /// Returns the value of `key` from a new load that replaces a running one.
    ///
    /// Callers that wait for the running load receive the value of the new load; no caller is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - key: the key to load.
    ///   - timeout: the longest time to wait, as in ``value(for:within:isolation:)``.
    ///   - isolation: the actor of the caller, which the wait stays on; leave it to its default.
    /// - Returns: the value of the new load.
    /// - Throws: the same errors as ``value(for:within:isolation:)``.
    package func reload(
        _ key: Key,
        within timeout: Duration? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try await sharedValue(key, timeout, .reload)
    }

    /// Marks the value of `key` as changed: later callers do not join a load that began before this
    /// call.
    ///
    /// Callers that already wait have asked before the change. They receive the result of their
    /// load.
    public func invalidate(_ key: Key) {
        change { state in perform(state.machine.invalidate(key), key, nil, in: &state) }
    }

    /// Ends every load; call it when a user signs in, signs out or switches the account.
    ///
    /// Waiting callers receive `CancellationError`, and never a value of the next session. A load
    /// that waits between two attempts is not tried again.
    public func invalidateAll() {
        var groups: [LoadGroup] = []
        change { state in
            groups = state.machine.endAll()
            defer { state.tasks = [:] }
            return Array(state.tasks.values)
        }
        for group in groups { group.result.resolve(Self.cancelled) }
    }

    /// A14: Ends a load whose session has ended, for all its callers.
    private func end(_ key: Key, _ group: LoadGroup) {
        change { state in perform(state.machine.end(key, group), key, group, in: &state) }
        // If the load has already given a result, that result counts.
        group.result.resolve(Self.cancelled)
    }

    // MARK: Waiting

    /// Returns the value of `key` for a record, which can end the load for all its callers when its
    /// session ends.
    func value(
        for key: Key,
        _ demand: LoadDemand,
        as share: LoadShare,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try await sharedValue(key, nil, demand, as: share)
    }

    private func sharedValue(
        _ key: Key,
        _ timeout: Duration?,
        _ demand: LoadDemand,
        as share: LoadShare? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try Task.checkCancellation()
        // Before the first suspension: from here on this caller counts (C4).
        let caller = join(key, demand, after: share?.lastKnown ?? 0)
        share?.lastKnown = caller.number
        share?.end = { [weak self] in self?.end(key, caller.group) }
        let result =
            if let timeout {
                await wait(for: caller, within: timeout)
            } else {
                await caller.group.result.wait(as: caller.number)
            }
        if let result { return try uncheckedDowncast(result, to: End.self).value.get() }
        change { state in perform(state.machine.leave(key, caller.group), key, caller.group, in: &state) }
        try Task.checkCancellation()
        throw FeatureError.timedOut(key, after: timeout ?? .zero)
    }

    private func join(_ key: Key, _ demand: LoadDemand, after lastKnown: Int) -> LoadCaller {
        let priority = Task.currentPriority
        var superfluous: [Task<Void, Never>] = []
        let caller = state.withLock { state in
            let (caller, effects) =
                switch demand {
                case .join: state.machine.join(key, priority: priority)
                case .refresh: state.machine.refresh(key, after: lastKnown, priority: priority)
                case .reload: state.machine.reload(key, priority: priority)
                }
            // Most callers that join cause no effect.
            if !effects.isEmpty { superfluous = perform(effects, key, caller.group, in: &state) }
            return caller
        }
        for task in superfluous { task.cancel() }
        return caller
    }

    private func wait(
        for caller: LoadCaller,
        within timeout: Duration
    ) async -> (any AnyObject & Sendable)? {
        let (result, number) = (caller.group.result, caller.number)
        return await withTaskGroup { group in
            group.addTask { await result.wait(as: number) }
            group.addTask { [clock] in
                try? await clock.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Changes the state under the lock, and then cancels unneeded tasks, because cancellation runs
    /// other code.
    private func change(_ event: (inout State) -> [Task<Void, Never>]) {
        var superfluous: [Task<Void, Never>] = []
        state.withLock { superfluous = event(&$0) }
        for task in superfluous { task.cancel() }
    }

    // MARK: Loading

    /// Performs the effects of an event.
    ///
    /// - Returns: the tasks to cancel.
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
                // A task takes the highest priority of the tasks that wait for its value.
                if let task = state.tasks[load] { Task.detached(priority: priority) { await task.value } }
            case .cancel(let load):
                if let task = state.tasks.removeValue(forKey: load) { superfluous.append(task) }
            case .linger(let load, let idleGeneration):
                guard let linger else { break }
                Task.detached { [clock] in
                    try? await clock.sleep(for: linger)
                    self.change { state in
                        self.perform(state.machine.endLinger(key, load, idleGeneration), key, group, in: &state)
                    }
                }
            }
        }
        return superfluous
    }

    private func isCurrent(_ load: LoadNumber) -> Bool {
        state.withLock { $0.machine.isCurrent(load) }
    }

    private func start(
        _ load: LoadNumber,
        _ key: Key,
        for group: LoadGroup,
        _ priority: TaskPriority
    ) -> Task<Void, Never> {
        // Detached: the load inherits neither task-local values nor the cancellation of its first
        // caller (C3). It only inherits whether an outer operation retries, because retries must
        // not multiply.
        let isRetried = Retrying.isUnderWay
        return Task.detached(priority: priority) {
            let result: Result<Value, any Error>
            do {
                let value = try await Retrying.$isUnderWay.withValue(isRetried) {
                    try await self.retries.run(on: self.clock, unless: self.isRejection) {
                        // A14: A load that has ended or was superseded must not call the closure.
                        guard self.isCurrent(load) else { throw CancellationError() }
                        return try await self.load(key)
                    }
                }
                result = .success(value)
            } catch {
                result = .failure(error)
            }
            let isCurrent = self.state.withLock { state in
                state.tasks[load] = nil
                return state.machine.finish(key, load)
            }
            if isCurrent { group.result.resolve(Box(result)) }
        }
    }
}
