import Backplane

/// The contract of most boards here: input, output and command are numbers.
enum Counting: BoardContract {
    typealias Input = Int
    typealias Output = Int
    typealias Command = Int
}

/// A board that adds up its inputs and commands.
final class Counter: Board {
    let slot: Slot<Counting>
    private(set) var sum = 0

    init(slot: Slot<Counting>) { self.slot = slot }

    func activate(with input: Int) { sum &+= input }
    func receive(_ command: Int) { sum &+= command }
}

/// A board that sends its input minus one, until the input is zero.
final class Relay: Board {
    let slot: Slot<Counting>

    init(slot: Slot<Counting>) { self.slot = slot }

    func activate(with input: Int) {
        if input > 0 { send(input - 1) }
    }

    func receive(_ command: Int) {}
}

/// The smallest possible board.
final class Leaf: Board {
    let slot: Slot<Counting>

    init(slot: Slot<Counting>) { self.slot = slot }

    func activate(with input: Int) {}
    func receive(_ command: Int) {}
}

/// A gate board that opens the gate at once.
final class OpenGate: Board {
    enum Contract: BoardContract {
        typealias Output = Bool
    }

    let slot: Slot<Contract>

    init(slot: Slot<Contract>) { self.slot = slot }

    func activate(with input: Void) { send(true) }
}

extension BoardID<Counting> {
    /// Returns IDs with names of 23 bytes.
    static func numbered(_ count: Int, _ kind: String = "board") -> [Self] {
        (0..<count).map { BoardID(longName(kind, $0)) }
    }
}

extension Motherboard {
    /// Returns a motherboard as in an app: with a gate, a flow, a removed flow and a combined flow.
    static func inUse(on owner: any Actor) -> Motherboard {
        let motherboard = Motherboard(owner: owner)
        let guarded = BoardID<Counting>("guarded")
        let gate = BoardID<OpenGate.Contract>("gate")
        motherboard.register(gate, OpenGate.init)
        motherboard.register(guarded, Leaf.init)
        motherboard.gate(guarded, by: gate) { $0 ? .open : .closed }
        motherboard.registerFlow(from: guarded) { _, _ in }
        motherboard.remove(motherboard.registerFlow(from: guarded) { _, _ in })
        motherboard.registerCombinedFlow(guarded, gate) { _, _, _ in }
        motherboard.activate(guarded, with: 0)
        return motherboard
    }

    /// Registers and activates a board, and returns it.
    func plug<Made: Board<Counting> & AnyObject>(
        _ id: BoardID<Counting>,
        _ make: @escaping (Slot<Counting>) -> Made
    ) -> Made {
        var made: Made?
        register(id) { slot in
            let board = make(slot)
            made = board
            return board
        }
        activate(id, with: 0)
        guard let made else { preconditionFailure("Board '\(id)' was not made.") }
        return made
    }
}
