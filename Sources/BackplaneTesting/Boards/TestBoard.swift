public import Backplane

/// A stand-in for a board: it records what it is given and does what the test says.
///
/// ```swift
/// let login = TestBoard(.login, on: motherboard)
/// motherboard.activate(.login)
/// login.send("ada")
/// login.complete()
/// ```
///
/// Registered under an identity it stands in for every board made under it, in nested motherboards too. Where several are live,
/// it acts as the one that was activated last; for another one use its slot in ``slots``.
///
/// Used on the motherboard's actor. The motherboard keeps it, so a stand-in that is only to be there need not be held.
public final class TestBoard<Contract: BoardContract> {
    /// What it stands in for.
    public let id: BoardID<Contract>
    /// The inputs of all activations, in order.
    public private(set) var inputs: [Contract.Input] = []
    /// The slots of the boards that were activated with ``inputs``, one for each: a board that was activated twice has its
    /// slot here twice.
    public private(set) var slots: [Slot<Contract>] = []
    /// The commands received, in order; once for each board that obeyed.
    public private(set) var commands: [Contract.Command] = []
    /// What happens at an activation, after it has been recorded; the slot is that of the board activated.
    public var onActivate: ((Contract.Input, Slot<Contract>) -> Void)?
    /// What happens at a command, after it has been recorded.
    public var onCommand: ((Contract.Command, Slot<Contract>) -> Void)?

    private let activated = Tally()
    private let commanded = Tally()

    /// A stand-in on a motherboard, instead of what is registered under the identity so far.
    ///
    /// Boards that are live stay, and so do gates, flows and links. A registration of the identity
    /// that comes later, as by a module that is then installed, does nothing unless it says
    /// `replacing: true`:
    ///
    /// ```swift
    /// let course = TestBoard(.course, on: motherboard)
    /// motherboard.install(CourseModule(loadCourse: api.course))
    /// ```
    ///
    /// - Parameters:
    ///   - id: what to stand in for.
    ///   - motherboard: where to register.
    ///   - reuse: what a second activation means while the stand-in is live.
    ///   - onActivate: what happens at an activation.
    ///   - fileID: the caller's file, which a trap names.
    ///   - line: the caller's line.
    @discardableResult
    public init(
        _ id: BoardID<Contract>,
        on motherboard: Motherboard,
        reuse: Reuse = .shared,
        onActivate: ((Contract.Input, Slot<Contract>) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.id = id
        self.onActivate = onActivate
        let make = { (slot: Slot<Contract>) in StandIn(slot: slot, for: self) }
        motherboard.registerStandIn(id, reuse: reuse, make, fileID: fileID, line: line)
    }

    /// Whether there is a live board.
    public var isLive: Bool { slot != nil }

    /// The slot of the live board that was activated last.
    public var slot: Slot<Contract>? { slots.last { $0.isLive } }

    /// Sends an output as the live board that was activated last; without one the test fails.
    public func send(
        _ output: Contract.Output,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        act("send an output", TestSite(fileID, filePath, line, column)) { $0.send(output) }
    }

    /// Sends an action as the live board that was activated last; without one the test fails.
    public func sendAction(
        _ action: some BoardFlowAction,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        act("send an action", TestSite(fileID, filePath, line, column)) { $0.sendAction(action) }
    }

    /// Ends the live board that was activated last; without one the test fails.
    public func complete(
        _ completion: Completion = .done,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        act("complete", TestSite(fileID, filePath, line, column)) { $0.complete(completion) }
    }

    /// Sends a last output as the live board that was activated last, and ends it, as one; without one the test fails.
    public func complete(
        _ completion: Completion = .done,
        sending output: Contract.Output,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        act("complete", TestSite(fileID, filePath, line, column)) { $0.complete(completion, sending: output) }
    }

    private func act(_ what: String, _ site: TestSite, _ body: (Slot<Contract>) -> Void) {
        if let slot { return body(slot) }
        let reason = slots.isEmpty ? "it has not been activated" : "the last board of it has ended"
        site.fail("'\(id)' cannot \(what): \(reason). Activate it first.")
    }

    /// Waits until it has been activated this often in all; fails the test when the time is up or the task is cancelled.
    public func activations(
        atLeast count: Int,
        within timeout: Duration = .seconds(10),
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async {
        let site = TestSite(fileID, filePath, line, column)
        await activated.reach(count, of: "activations of '\(id)'", within: timeout, orFailAt: site)
    }

    /// Waits until it has received this many commands in all; fails the test when the time is up or the task is cancelled.
    public func commands(
        atLeast count: Int,
        within timeout: Duration = .seconds(10),
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async {
        let site = TestSite(fileID, filePath, line, column)
        await commanded.reach(count, of: "commands to '\(id)'", within: timeout, orFailAt: site)
    }

    fileprivate func noteActivation(_ input: Contract.Input, _ slot: Slot<Contract>) {
        inputs.append(input)
        slots.append(slot)
        activated.add()
        onActivate?(input, slot)
    }

    fileprivate func noteCommand(_ command: Contract.Command, _ slot: Slot<Contract>) {
        commands.append(command)
        commanded.add()
        onCommand?(command, slot)
    }
}

/// What is plugged in.
private final class StandIn<Contract: BoardContract>: Board {
    let slot: Slot<Contract>
    private let test: TestBoard<Contract>

    init(slot: Slot<Contract>, for test: TestBoard<Contract>) {
        self.slot = slot
        self.test = test
    }

    func activate(with input: Contract.Input) {
        test.noteActivation(input, slot)
    }

    func receive(_ command: Contract.Command) {
        test.noteCommand(command, slot)
    }
}
