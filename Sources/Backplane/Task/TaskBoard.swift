/// A board that runs one asynchronous closure.
final class TaskBoard<Contract: BoardContract>: Board where Contract.Command == Never {
    /// The work of one activation, which returns a closure that ends an activation with the result.
    typealias Work = (Contract.Input, Slot<Contract>) async throws -> (Slot<Contract>) -> Void

    let slot: Slot<Contract>
    private let input: Contract.Input
    private let line: TaskLine<Contract>
    private let work: Work
    /// The depth of the work that activated the board.
    ///
    /// Not of the work that lets the board start: in a queue, each piece follows another.
    private let depth = WorkToken.depth

    init(slot: Slot<Contract>, input: Contract.Input, line: TaskLine<Contract>, work: @escaping Work) {
        self.slot = slot
        self.input = input
        self.line = line
        self.work = work
    }

    func activate(with input: Contract.Input) {
        line.admit(self)
    }

    private var scheduler: TurnScheduler { slot.liveBoard.entry.scheduler }

    // MARK: Task line

    // On a completed motherboard the board ends next, so its work need not start.
    var isOver: Bool { !slot.liveBoard.isLive || slot.liveBoard.entry.standing != .open }

    func asksTheSame(as other: TaskBoard) -> Bool { areEqual(input, other.input) ?? false }

    func begin() {
        scheduler.begin(start)
    }

    private func start(immediately: Bool) {
        // It may have been cancelled since its turn began.
        if isOver { return line.leave() }
        slot.liveBoard.startOnlyWork(immediately: immediately, after: depth) { try await self.run() }
    }

    private func run() async throws {
        // Leaves after the work, not at the completion: cancelled work may take a while to end.
        defer { line.leave() }
        do {
            try Task.checkCancellation()
            end(try await work(input, slot))
        } catch is CancellationError {
            // Something other than the board may have cancelled the work. The board ends in any
            // case.
            slot.complete(.cancelled)
        } catch {
            end { $0.complete(.failed(error)) }
        }
    }

    /// Ends this activation and the activations that joined it.
    private func end(_ end: (Slot<Contract>) -> Void) {
        // If this activation ended without the result, another one does the work.
        let joined = slot.liveBoard.isLive ? line.takeJoined(to: self) : []
        if joined.isEmpty { return end(slot) }
        scheduler.turn {
            end(slot)
            for member in joined { end(member.slot) }
        }
    }

    func cancel() {
        slot.complete(.cancelled)
    }

    func refuse() {
        slot.complete(.failed(BoardError.busy(AnyBoardID(slot.id))))
    }

    func atEnd(_ action: @escaping () -> Void) {
        slot.liveBoard.atEnd(action)
    }
}
