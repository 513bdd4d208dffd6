import Backplane

/// The boards that were activated, in order, for tests that have to wait until somebody has asked one.
final class Asked<Contract: BoardContract> {
    private(set) var boards: [ProbeBoard<Contract>] = []
    private(set) var inputs: [Contract.Input] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func note(_ board: ProbeBoard<Contract>, _ input: Contract.Input) {
        boards.append(board)
        inputs.append(input)
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    /// Lets go of the boards that were noted.
    func forget() {
        boards = []
        inputs = []
    }

    /// The board that was activated as number `index`, as soon as it was.
    func board(_ index: Int) async -> ProbeBoard<Contract> {
        while boards.count <= index { await withCheckedContinuation { waiters.append($0) } }
        return boards[index]
    }
}

extension Motherboard {
    /// Registers a board that does nothing but be noted when it is activated.
    func probe<Contract>(_ id: BoardID<Contract>, reuse: Reuse = .shared, notedIn asked: Asked<Contract>) {
        probe(id, reuse: reuse) { board, input in asked.note(board, input) }
    }
}
