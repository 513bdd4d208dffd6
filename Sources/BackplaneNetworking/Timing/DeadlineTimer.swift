internal import BackplaneConcurrency

/// A timer that calls closures when their deadlines end.
///
/// On `ContinuousClock`, one sleeping task serves all deadlines. A separate timer for each request
/// would take longer than all other work of a controller for it. On any other clock, each deadline
/// has its own sleeping task. So a test that advances the clock sees every sleeper.
final class DeadlineTimer: Sendable {
    private struct Entry {
        let due: Duration
        let expire: @Sendable () -> Void
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var lastID = 0
        /// The time of the sleeping task's next check, if any deadline is pending.
        var nextLook: Duration?
    }

    private let state = Locked(State())
    private let clock: any Clock<Duration>
    private let uptime: Stopwatch
    private let sharesSleeper: Bool

    convenience init(clock: any Clock<Duration>) {
        self.init(clock: clock, sharesSleeper: clock is ContinuousClock)
    }

    init(clock: any Clock<Duration>, sharesSleeper: Bool) {
        self.clock = clock
        self.sharesSleeper = sharesSleeper
        uptime = Stopwatch(clock)
    }

    /// Calls `expire` after `timeout`, on any thread, unless the returned closure is called first.
    func schedule(in timeout: Duration, _ expire: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard sharesSleeper else {
            let sleeper = Task.detached { [clock] in
                try await clock.sleep(for: timeout)
                expire()
            }
            return { sleeper.cancel() }
        }
        let due = uptime.elapsed + timeout
        let (id, isNext) = state.withLock { state in
            state.lastID += 1
            state.entries[state.lastID] = Entry(due: due, expire: expire)
            let isNext = state.nextLook.map { due < $0 } ?? true
            if isNext { state.nextLook = due }
            return (state.lastID, isNext)
        }
        if isNext { look(at: due) }
        return { [weak self] in self?.state.withLock { _ = $0.entries.removeValue(forKey: id) } }
    }

    private func look(at due: Duration) {
        Task.detached { [clock, uptime, weak self] in
            try await clock.sleep(for: due - uptime.elapsed)
            self?.expireDue(at: due)
        }
    }

    private func expireDue(at look: Duration) {
        let now = uptime.elapsed
        let (expired, nextLook) = state.withLock { state in
            let expired = state.entries.filter { $0.value.due <= now }
            for id in expired.keys { state.entries[id] = nil }
            // If `nextLook` has changed, a shorter deadline was added and has an earlier check.
            guard state.nextLook == look else { return (expired, nil as Duration?) }
            state.nextLook = state.entries.values.map(\.due).min()
            return (expired, state.nextLook)
        }
        for entry in expired.values { entry.expire() }
        if let nextLook { self.look(at: nextLook) }
    }
}
