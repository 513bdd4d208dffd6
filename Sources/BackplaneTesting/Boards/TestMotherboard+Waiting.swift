import Backplane

// For boards that do asynchronous work.
extension TestMotherboard {
    /// Waits for events and asserts them.
    ///
    /// Exhaustive: these events are the next ones to happen, in this order; what follows them remains to be asserted. It fails
    /// as soon as another event has come instead. Relaxed: these events happen in this order; those between them are skipped.
    ///
    /// Waits on the caller's actor, without polling. Reports what is missing when the time is up, which is a guard against
    /// waiting for ever and not a measure of anything, or when the task is cancelled, as it is at a time limit of the test.
    ///
    /// ```swift
    /// test.motherboard.activate(.course, with: "abc123")
    /// await test.receive(.activated(.course, with: "abc123"), .output(.course, .loaded))
    /// ```
    public func receive(
        _ events: ExpectedEvent...,
        within timeout: Duration = .seconds(10),
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async {
        await receive(all: events, within: timeout, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Waits for events that are put together elsewhere, as by a function for what always comes together.
    ///
    /// Otherwise see ``receive(_:within:fileID:filePath:line:column:)``.
    public func receive(
        all events: [ExpectedEvent],
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
            // Read first: what comes after that is not missed.
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

    /// Waits until no live board has work under way: until all that was started with `task` has ended.
    ///
    /// For boards whose work comes to an end by itself. Work of boards that have ended does not count; it can affect nothing.
    /// Reports what is still under way when the time is up or the task is cancelled.
    ///
    /// ```swift
    /// test.motherboard.activate(.course, with: "abc123")
    /// await test.settled()
    /// test.expect(.activated(.course, with: "abc123"), .output(.course, .loaded))
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
        guard mode == .exhaustive else { return endOfSubsequence(events).map(Progress.complete) ?? .incomplete }
        let seen = recorder.unasserted.prefix(events.count)
        guard zip(events, seen).allSatisfy({ $0.matches($1) }) else { return .mismatch }
        return seen.count == events.count ? .complete(events.count) : .incomplete
    }

    private func failReceiving(_ events: [ExpectedEvent], _ limit: String, at site: TestSite) {
        let diff = EventDiff(expected: events, seen: recorder.unasserted)
        recorder.consume(mode == .exhaustive ? recorder.unasserted.count : diff.matchedThrough)
        site.fail(
            limit.isEmpty
                ? Self.difference(diff)
                : "Not all that was expected has happened\(limit) (− expected, + happened):\n\n\(diff.text)"
        )
    }
}
