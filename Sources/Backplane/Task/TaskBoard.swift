/// A board that is one asynchronous closure.
final class TaskBoard<Contract: BoardContract>: Board, LineMember where Contract.Command == Never {
    /// Does the work of one activation and returns how its result ends an activation.
    typealias Work = (Contract.Input, Slot<Contract>) async throws -> (Slot<Contract>) -> Void

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

    private var scheduler: TurnScheduler { slot.liveBoard.entry.scheduler }

    // MARK: In line

    // On a motherboard that has completed it ends next, and need not begin before.
    var isOver: Bool { !slot.liveBoard.isLive || slot.liveBoard.entry.standing != .open }

    func asksTheSame(as other: any LineMember) -> Bool {
        guard let other = other as? TaskBoard else { return false }
        return areEqual(input, other.input) ?? false
    }

    func begin() {
        scheduler.begin(self)
    }

    func start(immediately: Bool) {
        // It may have been cancelled since it began.
        if isOver { return line.leave() }
        slot.liveBoard.startOnlyWork(immediately: immediately) { try await self.run() }
    }

    private func run() async throws {
        // Contract the work, not behind the completion: cancelled work may take a while to end.
        defer { line.leave() }
        do {
            try Task.checkCancellation()
            end(try await work(input, slot))
        } catch is CancellationError {
            // The work may have been told to stop by something else than its board, which then ends all the same.
            slot.complete(.cancelled)
        } catch {
            end { $0.complete(.failed(error)) }
        }
    }

    /// Ends this activation and those that have joined it.
    private func end(_ end: (Slot<Contract>) -> Void) {
        // If this has ended without the result, another one does the work.
        let joined = slot.liveBoard.isLive ? line.takeJoined(to: self) : []
        if joined.isEmpty { return end(slot) }
        scheduler.turn {
            end(slot)
            for case let member as TaskBoard in joined { end(member.slot) }
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
