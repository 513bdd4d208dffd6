public import Backplane

/// A motherboard for tests that records every event, so that a test can assert it.
///
/// ```swift
/// @MainActor @Test func `a login leads to the dashboard`() {
///     let test = TestMotherboard()
///     let login = test.stub(Login.id)
///     test.stub(Dashboard.id)
///     test.motherboard.registerFlowSteps(Login.id ->>> Dashboard.id)
///
///     test.motherboard.activate(Login.id)
///     login.send("ada")
///     test.expect(.activated(Login.id), .output(Login.id, "ada"))
///     test.expect(.activated(Dashboard.id, with: "ada"))
/// }
/// ```
///
/// **Exhaustive** (the default): the test must assert every event, in order. An event that is not
/// asserted is reported by the next ``expect(_:fileID:filePath:line:column:)``, or at the latest
/// when the test motherboard is released. **Relaxed** (`exhaustive: false`): the expected events
/// must happen in that order, and other events are skipped.
///
/// Motherboards are synchronous, and so is `expect`. For boards that do asynchronous work,
/// ``receive(_:within:fileID:filePath:line:column:)`` waits for their events, and
/// ``settled(within:fileID:filePath:line:column:)`` waits for their tasks to end.
///
/// Events of nested motherboards are recorded too. Failures are reported to the framework that runs
/// the test: Swift Testing or XCTest.
///
/// **Isolation.** Create and use it on the actor of its motherboard.
public final class TestMotherboard {
    /// The motherboard under test, on which you register, install and activate as usual.
    public let motherboard: Motherboard
    let isExhaustive: Bool
    let recorder: EventRecorder
    private let birthplace: TestSite

    /// Creates a test motherboard that belongs to the current actor.
    ///
    /// For the initial value of a stored property, use
    /// ``onMain(exhaustive:ignoring:clock:fileID:filePath:line:column:)``. Events of the kinds in
    /// `ignoring` are not recorded, by default the start and end of tasks. The clock decides when
    /// an ended board counts as leaked. By default it is a ``ManualClock``, which does not move.
    public convenience init(
        exhaustive isExhaustive: Bool = true,
        ignoring ignored: Set<BoardEvent.Kind> = [.taskStarted, .taskEnded],
        clock: any Clock<Duration> = ManualClock(),
        isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            observing: Motherboard(clock: clock, isolation: isolation),
            exhaustive: isExhaustive,
            ignoring: ignored,
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    /// Creates a test motherboard for an existing motherboard, and records its events from now on.
    ///
    /// For a nested motherboard, it records the events on this motherboard and inside it, but not
    /// the events on its ancestors.
    public init(
        observing motherboard: Motherboard,
        exhaustive isExhaustive: Bool = true,
        ignoring ignored: Set<BoardEvent.Kind> = [.taskStarted, .taskEnded],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.motherboard = motherboard
        self.isExhaustive = isExhaustive
        birthplace = TestSite(fileID, filePath, line, column)
        let recorder = EventRecorder(ignoring: ignored)
        self.recorder = recorder
        motherboard.observePayloads { [weak recorder] event, payload in recorder?.record(event, payload) }
    }

    /// Creates a test motherboard that belongs to the main actor, for initial values of properties.
    ///
    /// Otherwise see ``init(exhaustive:ignoring:clock:isolation:fileID:filePath:line:column:)``.
    @MainActor public static func onMain(
        exhaustive isExhaustive: Bool = true,
        ignoring ignored: Set<BoardEvent.Kind> = [.taskStarted, .taskEnded],
        clock: any Clock<Duration> = ManualClock(),
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) -> TestMotherboard {
        TestMotherboard(
            exhaustive: isExhaustive,
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
        guard isExhaustive, !recorder.unasserted.isEmpty else { return }
        let diff = EventDiff(expected: [], seen: recorder.unasserted)
        birthplace.fail("Events were never asserted:\n\n\(diff.text)\n\n\(Self.adviceOnUnexpected)")
    }

    /// Registers a stand-in for a board, in place of the current registration of the ID.
    ///
    /// A later registration of the ID has no effect unless it has `replacing: true`. For example, a
    /// module that is installed later may register the ID. The same applies to registrations on
    /// nested motherboards, earlier and later ones. Live boards stay.
    ///
    /// - Parameters:
    ///   - id: the ID of the board to stand in for.
    ///   - reuse: how a second activation behaves while the stand-in is live.
    ///   - onActivate: a closure that runs at each activation; nothing by default.
    ///   - fileID: the caller's file, used in trap messages.
    ///   - line: the caller's line.
    /// - Returns: the stand-in, which records its inputs and commands and sends outputs.
    @discardableResult
    public func stub<Contract>(
        _ id: BoardID<Contract>,
        reuse: BoardReuse = .shared,
        onActivate: ((Contract.Input, Slot<Contract>) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> TestBoard<Contract> {
        TestBoard(id, on: motherboard, reuse: reuse, onActivate: onActivate, fileID: fileID, line: line)
    }

    /// Asserts the events since the last assertion.
    ///
    /// In exhaustive mode, exactly these events must have happened, in this order; without events,
    /// nothing must have happened. In relaxed mode, these events must have happened in this order.
    /// Other events between them are skipped, and events after the last one remain to be asserted.
    public func expect(
        _ events: ExpectedEvent...,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let site = TestSite(fileID, filePath, line, column)
        guard canExpect(events, at: site) else { return }
        if !isExhaustive, let end = endOfSubsequence(events) { return recorder.consume(end) }
        let diff = EventDiff(expected: events, seen: recorder.unasserted)
        if isExhaustive {
            recorder.consume(recorder.unasserted.count)
            if !diff.isEmpty { site.fail(Self.difference(diff)) }
        } else {
            recorder.consume(diff.matchedThrough)
            site.fail(Self.shortfall(diff))
        }
    }
}

// Comparison with the recorded events, and the messages about it.
extension TestMotherboard {
    static let adviceOnUnexpected = "Expect them too, or make the test motherboard with `exhaustive: false`."

    static func difference(_ diff: EventDiff) -> String {
        let advice = diff.isMissingSome ? "" : "\n\n\(adviceOnUnexpected)"
        return "The events differ from the expected ones (− expected, + happened):\n\n\(diff.text)\(advice)"
    }

    static func shortfall(_ diff: EventDiff) -> String {
        "Some expected events did not happen in this order (− expected, + skipped):\n\n\(diff.text)"
    }

    /// Returns whether events of all expected kinds are recorded, and fails the test if not.
    ///
    /// Without this check, an expected event of an ignored kind would fail with a confusing
    /// message.
    func canExpect(_ events: [ExpectedEvent], at site: TestSite) -> Bool {
        guard let event = events.first(where: { recorder.isIgnored($0.kind) }) else { return true }
        site.fail(
            "\(event.text) is expected, and this test motherboard ignores such events; make it with `ignoring: []`."
        )
        return false
    }

    /// Returns the end of the shortest prefix of the unasserted events that contains `events` in
    /// order.
    ///
    /// It is `nil` if the unasserted events do not contain them in this order.
    func endOfSubsequence(_ events: [ExpectedEvent]) -> Int? {
        var end = 0
        for event in events {
            guard let found = recorder.unasserted[end...].firstIndex(where: event.matches) else { return nil }
            end = found + 1
        }
        return end
    }
}
