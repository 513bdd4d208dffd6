import Backplane

/// The activated boards in order, for tests that wait for an activation.
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

    /// Releases the noted boards and inputs.
    func forget() {
        boards = []
        inputs = []
    }

    /// Returns the board of activation number `index`, after waiting for that activation.
    func board(_ index: Int) async -> ProbeBoard<Contract> {
        while boards.count <= index { await withCheckedContinuation { waiters.append($0) } }
        return boards[index]
    }
}

extension Motherboard {
    /// Registers a board that is only noted when it is activated.
    func probe<Contract>(_ id: BoardID<Contract>, reuse: BoardReuse = .shared, notedIn asked: Asked<Contract>) {
        probe(id, reuse: reuse) { board, input in asked.note(board, input) }
    }
}
