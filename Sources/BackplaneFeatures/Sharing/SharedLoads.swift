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
    private typealias Answer = Result<Value, any Error>
    private typealias Table = LoadTable<Key, CheckedContinuation<Value, any Error>, Answer>

    private struct State: Sendable {
        var table: Table
        var tasks: [Table.Load: Task<Void, Never>] = [:]
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
        state = Locked(State(table: LoadTable(lingers: linger != nil)))
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
        try await answer(key, timeout) { table in table.join(key, priority: Task.currentPriority) }
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
        try await answer(key, timeout) { table in table.reload(key, priority: Task.currentPriority) }
    }

    /// Says that the value of `key` has changed: who asks from now on joins no load that has begun before.
    ///
    /// Those who wait already asked before that, and are answered by the load they wait for.
    public func invalidate(_ key: Key) {
        change { table in table.invalidate(key) }
    }

    /// ``invalidate(_:)`` of every key: for log-in, log-out and the switch of accounts.
    public func invalidateAll() {
        change { table in table.invalidateAll() }
    }

    // MARK: Waiting

    private func answer(
        _ key: Key,
        _ timeout: Duration?,
        isolation: isolated (any Actor)? = #isolation,
        joining: (inout Table) -> (Table.Place, [Table.Effect])
    ) async throws -> Value {
        try Task.checkCancellation()
        // Before anything can suspend: from here on this caller counts (C4), and can be cancelled (C6).
        let (place, superfluous) = state.withLock { state in
            let (place, effects) = joining(&state.table)
            return (place, perform(effects, in: &state))
        }
        superfluous.cancelAll()
        let deadline = timeout.map { timeout in
            let error = FeatureError.timedOut(key, after: timeout)
            return Task.detached { [clock] in
                try await clock.sleep(for: timeout)
                self.leave(place, with: error)
            }
        }
        defer { deadline?.cancel() }
        return try await withTaskCancellationHandler {
            // Mentioned, so that the closure is isolated to it: hopping to another thread and back costs microseconds.
            _ = isolation
            return try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { $0.table.wait(place, continuation) }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            leave(place, with: CancellationError())
        }
    }

    private func leave(_ place: Table.Place, with error: any Error) {
        let (waiter, superfluous) = state.withLock { state in
            let (waiter, effects) = state.table.leave(place, with: .failure(error))
            return (waiter, perform(effects, in: &state))
        }
        superfluous.cancelAll()
        waiter?.resume(throwing: error)
    }

    private func change(_ event: (inout Table) -> [Table.Effect]) {
        let superfluous = state.withLock { state in
            let effects = event(&state.table)
            return perform(effects, in: &state)
        }
        superfluous.cancelAll()
    }

    // MARK: Loading

    /// Has the effects, but for cancelling, which calls out: the tasks to cancel are returned, for when the lock is let go of.
    private func perform(_ effects: [Table.Effect], in state: inout State) -> [Task<Void, Never>] {
        var superfluous: [Task<Void, Never>] = []
        for effect in effects {
            switch effect {
            case .start(let load, let key, let priority): state.tasks[load] = start(load, key, priority)
            case .escalate(let load, let priority):
                // A task is made as urgent as the most urgent of those that await its value.
                if let task = state.tasks[load] { Task.detached(priority: priority) { await task.value } }
            case .cancel(let load):
                if let task = state.tasks.removeValue(forKey: load) { superfluous.append(task) }
            case .linger(let load, let desertion):
                guard let linger else { break }
                Task.detached { [clock] in
                    try? await clock.sleep(for: linger)
                    self.change { table in table.endLinger(load, desertion) }
                }
            }
        }
        return superfluous
    }

    private func start(_ load: Table.Load, _ key: Key, _ priority: TaskPriority) -> Task<Void, Never> {
        // Detached: neither task-local values nor the cancellation of whoever came first are the load's (C3).
        Task.detached(priority: priority) {
            let answer: Answer
            do {
                answer = .success(
                    try await self.retries.run(on: self.clock, unless: self.isRejection) {
                        try await self.load(key)
                    }
                )
            } catch {
                answer = .failure(error)
            }
            let waiters = self.state.withLock { state in
                state.tasks[load] = nil
                return state.table.finish(load, with: answer)
            }
            for waiter in waiters { waiter.resume(with: answer) }
        }
    }
}

extension [Task<Void, Never>] {
    fileprivate func cancelAll() {
        for task in self { task.cancel() }
    }
}
