import Backplane

// Waiting for boards that do asynchronous work.
extension TestMotherboard {
    /// Waits for events and asserts them.
    ///
    /// In exhaustive mode, these must be the next events, in this order. Later events remain to be
    /// asserted. The test fails as soon as a different event happens. In relaxed mode, these events
    /// must happen in this order, and other events between them are skipped.
    ///
    /// The method waits on the caller's actor, without polling. It reports the missing events on
    /// timeout, or when the task is cancelled, for example by the test's time limit. The timeout
    /// only prevents an endless wait: a passing test does not depend on it.
    ///
    /// ```swift
    /// test.motherboard.activate(Course.id, with: "abc123")
    /// await test.receive(.activated(Course.id, with: "abc123"), .output(Course.id, .loaded))
    /// ```
    public func receive(
        _ events: ExpectedEvent...,
        within timeout: Duration = .seconds(10),
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async {
        let site = TestSite(fileID, filePath, line, column)
        guard canExpect(events, at: site) else { return }
        let deadline = ContinuousClock.now + timeout
        while true {
            // The count is read first, so that no later event is missed.
            let count = recorder.tally.count
            switch progress(of: events) {
            case .complete(let end): return recorder.consume(end)
            case .mismatch: return failReceiving(events, "", at: site)
            case .incomplete: break
            }
            switch await recorder.tally.reach(count + 1, by: deadline) {
            case .reached: continue
            case .timedOut: return failReceiving(events, " within \(timeout)", at: site)
            case .cancelled: return failReceiving(events, " before the test was cancelled", at: site)
            }
        }
    }

    /// Waits until no live board has a task under way.
    ///
    /// Use it for boards whose tasks end by themselves. Tasks of ended boards do not count, because
    /// they can no longer affect anything. The test fails on timeout, or if the task is cancelled,
    /// and the message names the boards that still have tasks.
    ///
    /// ```swift
    /// test.motherboard.activate(Course.id, with: "abc123")
    /// await test.settled()
    /// test.expect(.activated(Course.id, with: "abc123"), .output(Course.id, .loaded))
    /// ```
    public func settled(
        within timeout: Duration = .seconds(10),
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async {
        let site = TestSite(fileID, filePath, line, column)
        let deadline = ContinuousClock.now + timeout
        while true {
            let count = recorder.tally.count
            if recorder.work.isEmpty { return }
            let outcome = await recorder.tally.reach(count + 1, by: deadline)
            if outcome == .reached { continue }
            let boards = recorder.work.keys.map(\.description).sorted().joined(separator: ", ")
            let limit = outcome == .timedOut ? "within \(timeout)" : "before the test was cancelled"
            return site.fail(
                "Boards still have work under way and did not settle \(limit): \(boards). Let it end, or complete them."
            )
        }
    }

    private enum Progress {
        case complete(Int)
        case incomplete
        case mismatch
    }

    private func progress(of events: [ExpectedEvent]) -> Progress {
        guard isExhaustive else { return endOfSubsequence(events).map(Progress.complete) ?? .incomplete }
        let seen = recorder.unasserted.prefix(events.count)
        guard zip(events, seen).allSatisfy({ $0.matches($1) }) else { return .mismatch }
        return seen.count == events.count ? .complete(events.count) : .incomplete
    }

    private func failReceiving(_ events: [ExpectedEvent], _ limit: String, at site: TestSite) {
        let diff = EventDiff(expected: events, seen: recorder.unasserted)
        recorder.consume(isExhaustive ? recorder.unasserted.count : diff.matchedThrough)
        site.fail(
            limit.isEmpty
                ? Self.difference(diff)
                : "Some expected events did not happen\(limit) (− expected, + happened):\n\n\(diff.text)"
        )
    }
}
