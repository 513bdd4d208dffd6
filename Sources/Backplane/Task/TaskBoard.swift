/// A board that is one asynchronous closure.
final class TaskBoard<Contract: BoardContract>: Board, LineMember where Contract.Command == Never {
    /// Does the work of one activation and ends it.
    typealias Work = (Contract.Input, Slot<Contract>) async throws -> Void

    let slot: Slot<Contract>
    private let input: Contract.Input
    private let line: TaskLine
    private let work: Work

    init(slot: Slot<Contract>, input: Contract.Input, line: TaskLine, work: @escaping Work) {
        self.slot = slot
        self.input = input
        self.line = line
        self.work = work
    }

    func activate(with input: Contract.Input) {
        line.admit(self)
    }

    // MARK: In line

    var isOver: Bool { !slot.isLive }

    func begin() {
        slot.task { try await self.run() }
    }

    private func run() async throws {
        // Behind the work, not behind the completion: cancelled work may take a while to end.
        defer { line.leave() }
        do {
            try Task.checkCancellation()
            try await work(input, slot)
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

/// The activations of one registration of a task board: how many are at work, who waits.
final class TaskLine {
    private let strategy: TaskStrategy
    private var working = 0
    private weak var latest: (any LineMember)?
    private var waiting = Queue<Waiting>()

    /// Held weakly: the motherboard holds a board that is live, and one that was cancelled in line is kept by nothing.
    private struct Waiting {
        weak var member: (any LineMember)?
    }

    init(_ strategy: TaskStrategy, at site: CallSite) {
        if case .concurrent(let limit) = strategy {
            site.require(limit > 0, "A task board was registered with the limit \(limit), so nothing would ever begin.")
        }
        self.strategy = strategy
    }

    func admit(_ member: any LineMember) {
        switch strategy {
        case .concurrent(let limit) where working >= limit: waiting.append(Waiting(member: member))
        case .queue where working > 0: waiting.append(Waiting(member: member))
        case .exclusive where working > 0: member.refuse()
        case .latest:
            latest?.cancel()
            latest = member
            begin(member)
        default: begin(member)
        }
    }

    /// To be called when a member's work has ended.
    func leave() {
        working -= 1
        while let next = waiting.popFirst() {
            // One that was cancelled while it waited has nothing to do.
            if let member = next.member, !member.isOver { return begin(member) }
        }
    }

    private func begin(_ member: any LineMember) {
        working += 1
        member.begin()
    }
}
