import BackplaneConcurrency

/// A number that only grows, and callers who wait for it to reach another.
///
/// Safe to use from any thread. What a test waits for is counted, because a count cannot be missed: whoever asks later
/// finds it reached already.
final class Tally: Sendable {
    /// How waiting ended.
    enum Outcome {
        case reached
        case timedOut
        case cancelled
    }

    private enum Wait {
        /// Has its number, but no continuation yet: what ends the wait may come before that.
        case arriving
        case waiting(for: Int, CheckedContinuation<Outcome, Never>)
        case givenUp(Outcome)
    }

    private struct State {
        var count = 0
        var lastWait = 0
        var waits: [Int: Wait] = [:]
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.count } }

    /// Adds one, and resumes those whose number is reached, the first come first.
    func add() {
        let reached = state.withLock { state in
            state.count += 1
            let count = state.count
            let reached = state.waits.compactMap { id, wait in
                if case .waiting(let goal, let continuation) = wait, goal <= count { (id, continuation) } else { nil }
            }
            for (id, _) in reached { state.waits[id] = nil }
            return reached.sorted { $0.0 < $1.0 }
        }
        for (_, continuation) in reached { continuation.resume(returning: .reached) }
    }

    /// Suspends until the count is `goal`, the deadline has passed or the task is cancelled.
    func reach(
        _ goal: Int,
        by deadline: ContinuousClock.Instant? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Outcome {
        if count >= goal { return .reached }
        let id = beginWait()
        let alarm = deadline.map { deadline in
            Task.detached {
                try await ContinuousClock().sleep(until: deadline)
                self.giveUp(id, .timedOut)
            }
        }
        defer { alarm?.cancel() }
        let outcome = await withTaskCancellationHandler {
            await wait(id, for: goal, isolation: isolation)
        } onCancel: {
            giveUp(id, .cancelled)
        }
        guard outcome == .timedOut else { return outcome }
        // The time may have passed because the machine is busy: what is under way already goes first.
        for _ in 0..<10 where count < goal { await Task.yield() }
        return count >= goal ? .reached : .timedOut
    }

    /// Suspends until the count is `goal`, even if the task is cancelled.
    func reachRegardless(_ goal: Int, isolation: isolated (any Actor)? = #isolation) async {
        _ = await wait(beginWait(), for: goal, isolation: isolation)
    }

    private func beginWait() -> Int {
        state.withLock { state in
            state.lastWait += 1
            state.waits[state.lastWait] = .arriving
            return state.lastWait
        }
    }

    private func wait(_ id: Int, for goal: Int, isolation: isolated (any Actor)?) async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome: Outcome? = state.withLock { state in
                if case .givenUp(let outcome) = state.waits.removeValue(forKey: id) { return outcome }
                if state.count >= goal { return .reached }
                state.waits[id] = .waiting(for: goal, continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    private func giveUp(_ id: Int, _ outcome: Outcome) {
        let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state.waits[id] {
            case .arriving: state.waits[id] = .givenUp(outcome)
            case .waiting(_, let continuation):
                state.waits[id] = nil
                return continuation
            case .givenUp, nil: break
            }
            return nil
        }
        continuation?.resume(returning: outcome)
    }
}

extension Tally {
    /// Suspends until the count is `goal`, and fails the test if it is not in time.
    func reach(_ goal: Int, of what: String, within timeout: Duration, orFailAt site: TestSite) async {
        let outcome = await reach(goal, by: .now + timeout)
        if outcome == .reached { return }
        let limit = outcome == .timedOut ? "within \(timeout)" : "before the test was cancelled"
        site.fail("Waited for \(what): \(count) of \(goal) came \(limit).")
    }
}
