public import Backplane

/// A stand-in for a board: it records its inputs and commands, and sends what the test tells it to.
///
/// ```swift
/// let login = TestBoard(.login, on: motherboard)
/// motherboard.activate(.login)
/// login.send("ada")
/// login.complete()
/// ```
///
/// It stands in for every board with this ID, also on nested motherboards. If several of these
/// boards are live, it acts as the most recently activated one. Use ``slots`` to act as another
/// one.
///
/// Use it on the motherboard's actor. The motherboard holds the stand-in, so the test does not have
/// to.
public final class TestBoard<Contract: BoardContract> {
    /// The ID of the board that this object stands in for.
    public let id: BoardID<Contract>
    /// The inputs of all activations, in order.
    public private(set) var inputs: [Contract.Input] = []
    /// The slots of the activated boards, one for each element of ``inputs``.
    ///
    /// A board that was activated twice has its slot here twice.
    public private(set) var slots: [Slot<Contract>] = []
    /// The received commands, in order, once for each board that received the command.
    public private(set) var commands: [Contract.Command] = []
    /// A closure that runs at each activation, after it is recorded, with the activated board's
    /// slot.
    public var onActivate: ((Contract.Input, Slot<Contract>) -> Void)?
    /// A closure that runs at each command, after it is recorded, with the receiving board's slot.
    public var onCommand: ((Contract.Command, Slot<Contract>) -> Void)?

    private let activated = Tally()
    private let commanded = Tally()

    /// Creates a stand-in and registers it in place of the current registration of the ID.
    ///
    /// Live boards, gates, flows and links stay. A later registration of the ID, for example by a
    /// module installed afterwards, does nothing unless it says `replacing: true`:
    ///
    /// ```swift
    /// let course = TestBoard(.course, on: motherboard)
    /// motherboard.install(CourseModule(loadCourse: api.course))
    /// ```
    ///
    /// - Parameters:
    ///   - id: the ID of the board to stand in for.
    ///   - motherboard: the motherboard to register on.
    ///   - reuse: how a second activation behaves while the stand-in is live.
    ///   - onActivate: a closure that runs at each activation.
    ///   - fileID: the caller's file, used in trap messages.
    ///   - line: the caller's line.
    @discardableResult
    public init(
        _ id: BoardID<Contract>,
        on motherboard: Motherboard,
        reuse: BoardReuse = .shared,
        onActivate: ((Contract.Input, Slot<Contract>) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.id = id
        self.onActivate = onActivate
        let make = { (slot: Slot<Contract>) in StandIn(slot: slot, for: self) }
        motherboard.registerStandIn(id, reuse: reuse, make, fileID: fileID, line: line)
    }

    /// Whether a board of this stand-in is live.
    public var isLive: Bool { slot != nil }

    /// The slot of the live board that was activated last; `nil` if no board is live.
    public var slot: Slot<Contract>? { slots.last { $0.isLive } }

    /// Sends an output from the live board that was activated last.
    ///
    /// The test fails if no board is live.
    public func send(
        _ output: Contract.Output,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        act("send an output", TestSite(fileID, filePath, line, column)) { $0.send(output) }
    }

    /// Sends an action from the live board that was activated last.
    ///
    /// The test fails if no board is live.
    public func sendAction(
        _ action: some BoardFlowAction,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        act("send an action", TestSite(fileID, filePath, line, column)) { $0.sendAction(action) }
    }

    /// Completes the live board that was activated last.
    ///
    /// The test fails if no board is live.
    public func complete(
        _ completion: Completion = .done,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        act("complete", TestSite(fileID, filePath, line, column)) { $0.complete(completion) }
    }

    /// Sends a last output from the live board that was activated last, and completes the board
    /// with it.
    ///
    /// Sending and completing are one operation. The test fails if no board is live.
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

    /// Waits until the total number of activations reaches `count`.
    ///
    /// The test fails on timeout, or if the task is cancelled.
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

    /// Waits until the total number of received commands reaches `count`.
    ///
    /// The test fails on timeout, or if the task is cancelled.
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

/// The board that the stand-in registers.
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
