public import Backplane

/// A motherboard whose every event a test can assert.
///
/// ```swift
/// @MainActor @Test func `whoever logs in sees their dashboard`() {
///     let test = TestMotherboard()
///     let login = test.stub(.login)
///     test.stub(.dashboard)
///     test.motherboard.registerFlowSteps(.login ->>> .dashboard)
///
///     test.motherboard.activate(.login)
///     login.send("ada")
///     test.expect(.activated(.login), .output(.login, "ada"), .activated(.dashboard, with: "ada"))
/// }
/// ```
///
/// **Exhaustive** (the default): every event has to be asserted, in the order in which it happened. What was not is reported
/// by the next ``expect(_:fileID:filePath:line:column:)``, by ``finish(fileID:filePath:line:column:)``, or at the latest when
/// the test motherboard goes. **Relaxed**: what is expected has to happen, in that order; what happens besides is skipped.
///
/// Motherboards are synchronous, and so is `expect`. Where boards do asynchronous work,
/// ``receive(_:within:fileID:filePath:line:column:)`` waits for what that brings, and
/// ``settled(within:fileID:filePath:line:column:)`` for its end.
///
/// Events of nested motherboards are recorded too. A failure is reported to Swift Testing or XCTest, whichever runs the test.
///
/// **Isolation.** Made and used on one actor, as its motherboard is.
public final class TestMotherboard {
    /// What becomes of events that are not asserted.
    public enum Mode: Hashable, Sendable {
        /// They fail the test.
        case exhaustive
        /// They are skipped.
        case relaxed
    }

    /// The events that need not be asserted unless a test motherboard is told otherwise: when work starts and ends.
    public static let ignoredByDefault: Set<BoardEvent.Kind> = [.taskStarted, .taskEnded]

    /// What is tested: register, install and activate on it as anywhere.
    public let motherboard: Motherboard
    /// What becomes of events that are not asserted.
    public let mode: Mode

    let recorder: EventRecorder
    private let token: ObserverToken
    private let birthplace: TestSite

    /// A test motherboard that belongs to the actor it is made on.
    ///
    /// As the initial value of a stored property use ``onMain(_:ignoring:clock:fileID:filePath:line:column:)``. Kinds of event
    /// that it is `ignoring` are not recorded. The clock tells when a board that has ended counts as leaked; unless you give
    /// one it stands still.
    public convenience init(
        _ mode: Mode = .exhaustive,
        ignoring ignored: Set<BoardEvent.Kind> = ignoredByDefault,
        clock: any Clock<Duration> = ManualClock(),
        isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            observing: Motherboard(clock: clock, isolation: isolation),
            mode,
            ignoring: ignored,
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    /// A test motherboard around a motherboard that the code under test has made; records what happens from now on.
    ///
    /// Of a nested motherboard it records what happens on it and inside it, and nothing of what is around it.
    public init(
        observing motherboard: Motherboard,
        _ mode: Mode = .exhaustive,
        ignoring ignored: Set<BoardEvent.Kind> = ignoredByDefault,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.motherboard = motherboard
        self.mode = mode
        birthplace = TestSite(fileID, filePath, line, column)
        let recorder = EventRecorder(ignoring: ignored)
        self.recorder = recorder
        token = motherboard.observePayloads { event, payload in recorder.record(event, payload) }
    }

    /// A test motherboard that belongs to the main actor, for the initial values of stored properties.
    ///
    /// Otherwise as ``init(_:ignoring:clock:isolation:fileID:filePath:line:column:)``.
    @MainActor public static func onMain(
        _ mode: Mode = .exhaustive,
        ignoring ignored: Set<BoardEvent.Kind> = ignoredByDefault,
        clock: any Clock<Duration> = ManualClock(),
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) -> TestMotherboard {
        TestMotherboard(
            mode,
            ignoring: ignored,
            clock: clock,
            isolation: MainActor.shared,
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    deinit {
        reportUnasserted(at: birthplace)
    }

    /// Registers a stand-in for a board, instead of what is registered under the identity so far.
    ///
    /// A registration that comes later, as by a module that is then installed, does nothing unless
    /// it says `replacing: true`.
    ///
    /// - Parameters:
    ///   - id: the board to stand in for.
    ///   - reuse: what a second activation means while the stand-in is live.
    ///   - onActivate: what the stand-in does when it is activated; nothing unless stated.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    /// - Returns: the stand-in, to see what it was given and to let it act.
    @discardableResult
    public func stub<Contract>(
        _ id: BoardID<Contract>,
        reuse: Reuse = .shared,
        onActivate: ((Contract.Input, Slot<Contract>) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> TestBoard<Contract> {
        TestBoard(id, on: motherboard, reuse: reuse, onActivate: onActivate, fileID: fileID, line: line)
    }

    /// Asserts what has happened since the last assertion.
    ///
    /// Exhaustive: these events, all of them, in this order and no others. Relaxed: these events in this order; those between
    /// them are skipped, those after the last remain to be asserted.
    public func expect(
        _ events: ExpectedEvent...,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        expect(all: events, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Asserts events that are put together elsewhere, as by a function for what always comes together.
    ///
    /// Otherwise see ``expect(_:fileID:filePath:line:column:)``.
    public func expect(
        all events: [ExpectedEvent],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let site = TestSite(fileID, filePath, line, column)
        guard canExpect(events, at: site) else { return }
        switch mode {
        case .exhaustive:
            let diff = EventDiff(expected: events, seen: recorder.unasserted)
            recorder.consume(recorder.unasserted.count)
            if !diff.isEmpty { site.fail(Self.difference(diff)) }
        case .relaxed:
            if let end = endOfSubsequence(events) { return recorder.consume(end) }
            let diff = EventDiff(expected: events, seen: recorder.unasserted)
            recorder.consume(diff.matchedThrough)
            site.fail(Self.shortfall(diff))
        }
    }

    /// Asserts that nothing has happened since the last assertion, in either mode.
    public func expectNothing(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let diff = EventDiff(expected: [], seen: recorder.unasserted)
        recorder.consume(recorder.unasserted.count)
        if !diff.isEmpty { TestSite(fileID, filePath, line, column).fail("Something happened:\n\n\(diff.text)") }
    }

    /// Ends the test: reports what was never asserted, if the mode is exhaustive, and looks at nothing that happens afterwards.
    public func finish(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        reportUnasserted(at: TestSite(fileID, filePath, line, column))
        motherboard.stopObserving(token)
        recorder.consume(recorder.unasserted.count)
    }

    private func reportUnasserted(at site: TestSite) {
        guard mode == .exhaustive, !recorder.unasserted.isEmpty else { return }
        let diff = EventDiff(expected: [], seen: recorder.unasserted)
        site.fail("Events were never asserted:\n\n\(diff.text)\n\n\(Self.adviceOnUnexpected)")
    }
}

// Deciding, and saying what was decided.
extension TestMotherboard {
    static let adviceOnUnexpected = "Expect them too, or make the test motherboard `.relaxed`."

    static func difference(_ diff: EventDiff) -> String {
        let advice = diff.isMissingSome ? "" : "\n\n\(adviceOnUnexpected)"
        return "What happened is not what was expected (− expected, + happened):\n\n\(diff.text)\(advice)"
    }

    static func shortfall(_ diff: EventDiff) -> String {
        "Not all that was expected has happened, in this order (− expected, + skipped):\n\n\(diff.text)"
    }

    /// An expectation of what is not even recorded would fail in a way that is hard to understand.
    func canExpect(_ events: [ExpectedEvent], at site: TestSite) -> Bool {
        guard let event = events.first(where: { recorder.isIgnored($0.kind) }) else { return true }
        site.fail("\(event) is expected, and this test motherboard ignores such events; make it with `ignoring: []`.")
        return false
    }

    /// Behind which of the events not asserted these have all happened, in order; nil where they have not.
    func endOfSubsequence(_ events: [ExpectedEvent]) -> Int? {
        var end = 0
        for event in events {
            guard let found = recorder.unasserted[end...].firstIndex(where: event.matches) else { return nil }
            end = found + 1
        }
        return end
    }
}
