public import Backplane

/// A stand-in for a board, which records its inputs and commands, and sends outputs for the test.
///
/// ```swift
/// let login = test.stub(Login.id)
/// test.motherboard.activate(Login.id)
/// login.send("ada")
/// login.complete()
/// ```
///
/// ``TestMotherboard/stub(_:reuse:onActivate:fileID:line:)`` makes one. It stands in for every
/// board with this ID, also on nested motherboards. If several of these boards are live, the calls
/// of the test are for the board that was activated last. The closure that runs at each activation
/// receives the slot of its board.
///
/// Use it on the motherboard's actor. The motherboard holds the stand-in, so the test does not have
/// to.
public final class TestBoard<Contract: BoardContract> {
    private let id: BoardID<Contract>
    /// The inputs of all activations, in order.
    public private(set) var inputs: [Contract.Input] = []
    /// The slots of the activated boards, one for each input.
    ///
    /// A board that was activated twice has its slot here twice.
    package private(set) var slots: [Slot<Contract>] = []
    /// The received commands, in order, once for each board that received the command.
    public private(set) var commands: [Contract.Command] = []
    /// A closure that runs at each activation, after it is recorded, with the activated board's
    /// slot.
    package var onActivate: ((Contract.Input, Slot<Contract>) -> Void)?
    /// A closure that runs at each command, after it is recorded, with the receiving board's slot.
    package var onCommand: ((Contract.Command, Slot<Contract>) -> Void)?

    /// Creates a stand-in and registers it in place of the current registration of the ID.
    ///
    /// Live boards, gates, flows and links stay.
    @discardableResult
    package init(
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

    fileprivate func noteActivation(_ input: Contract.Input, _ slot: Slot<Contract>) {
        inputs.append(input)
        slots.append(slot)
        onActivate?(input, slot)
    }

    fileprivate func noteCommand(_ command: Contract.Command, _ slot: Slot<Contract>) {
        commands.append(command)
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
