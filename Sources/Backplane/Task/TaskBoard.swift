/// A board that is one asynchronous closure.
final class TaskBoard<Contract: BoardContract>: Board, LineMember {
    /// Does the work of one activation; nil where the contract has no output.
    typealias Work = (Contract.Input, Slot<Contract>) async throws -> Contract.Output?

    let slot: Slot<Contract>
    private let line: TaskLine
    private let work: Work
    private var input: Contract.Input?

    init(slot: Slot<Contract>, line: TaskLine, work: @escaping Work) {
        self.slot = slot
        self.line = line
        self.work = work
    }

    func activate(with input: Contract.Input) {
        self.input = input
        line.admit(self)
    }

    /// A task has only what it was activated with.
    func receive(_ command: Contract.Command) {}

    // MARK: In line

    var isOver: Bool { !slot.isLive }

    func begin() {
        guard let input = input.take() else { return }
        slot.task { try await self.run(input) }
    }

    private func run(_ input: Contract.Input) async throws {
        // Behind the work, not behind the completion: cancelled work may take a while to end.
        defer { line.leave(self) }
        do {
            try Task.checkCancellation()
            let output = try await work(input, slot)
            if let output { slot.send(output) }
            slot.complete()
        } catch is CancellationError {
            // The work may have been told to stop by something else than its board, which then ends all the same.
            slot.complete(.cancelled)
        }
    }

    func cancel() {
        slot.complete(.cancelled)
    }

    func refuse() {
        slot.complete(.failed(BoardError.busy(AnyBoardID(slot.id))))
    }
}

/// What a ``TaskLine`` knows of a task board.
protocol LineMember: AnyObject {
    /// Whether it has ended, while waiting for example.
    var isOver: Bool { get }
    func begin()
    func cancel()
    func refuse()
}

/// The activations of one registration of a task board: who works, who waits.
final class TaskLine {
    private let strategy: TaskStrategy
    private var working: [any LineMember] = []
    private var waiting = Queue<Waiting>()

    /// Held weakly: the motherboard holds a board that is live, and one that was cancelled in line is kept by nothing.
    private struct Waiting {
        weak var member: (any LineMember)?
    }

    init(_ strategy: TaskStrategy) {
        if case .concurrent(let limit) = strategy {
            precondition(limit > 0, "A task board was registered with the limit \(limit), so nothing would ever begin.")
        }
        self.strategy = strategy
    }

    func admit(_ member: any LineMember) {
        switch strategy {
        case .concurrent(let limit) where working.count >= limit: waiting.append(Waiting(member: member))
        case .queue where !working.isEmpty: waiting.append(Waiting(member: member))
        case .exclusive where !working.isEmpty: member.refuse()
        case .latest:
            for earlier in working { earlier.cancel() }
            begin(member)
        default: begin(member)
        }
    }

    func leave(_ member: any LineMember) {
        working.removeAll { $0 === member }
        while let next = waiting.popFirst() {
            // One that was cancelled while it waited has nothing to do.
            if let member = next.member, !member.isOver { return begin(member) }
        }
    }

    private func begin(_ member: any LineMember) {
        working.append(member)
        member.begin()
    }
}
