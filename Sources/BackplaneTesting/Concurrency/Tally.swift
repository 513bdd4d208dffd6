import BackplaneConcurrency

/// A number that only grows, with callers that wait for it to reach a goal.
///
/// It is safe to use from any thread. A count cannot be missed: a caller that arrives late finds
/// the goal already reached.
package final class Tally: Sendable {
    /// The result of a wait.
    package enum Outcome {
        case reached
        case timedOut
        case cancelled
    }

    private enum Wait {
        /// The wait has its ID but no continuation yet; its end may come before the continuation.
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

    package init() {}

    package var count: Int { state.withLock { $0.count } }

    /// Adds one and resumes the waits whose goal is reached, in the order of their arrival.
    package func add() {
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

    /// Suspends until the count reaches `goal`, the deadline passes or the task is cancelled.
    package func reach(
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
        // A busy machine may have caused the timeout, so tasks that are already under way run
        // first.
        for _ in 0..<10 where count < goal { await Task.yield() }
        return count >= goal ? .reached : .timedOut
    }

    /// Suspends until the count reaches `goal`, even if the task is cancelled.
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
    /// Suspends until the count reaches `goal`; the test fails on timeout or cancellation.
    func reach(_ goal: Int, of what: String, within timeout: Duration, orFailAt site: TestSite) async {
        let outcome = await reach(goal, by: .now + timeout)
        if outcome == .reached { return }
        let limit = outcome == .timedOut ? "within \(timeout)" : "before the test was cancelled"
        site.fail("Waited for \(what): \(count) of \(goal) came \(limit).")
    }
}
