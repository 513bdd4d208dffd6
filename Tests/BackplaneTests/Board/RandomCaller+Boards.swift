import Backplane
import TestSupport

/// A board whose methods all call back.
final class CallingBoard: Ghost, Board {
    let slot: Slot<Pulse>

    init(slot: Slot<Pulse>, _ caller: RandomCaller?) {
        self.slot = slot
        super.init(caller)
    }

    func activate(with input: Parcel) { call() }
    func receive(_ command: Parcel) { call() }
    func didEnd(_ completion: Completion) { call() }
}

/// A struct board whose methods all call back.
struct CallingStruct: Board {
    let slot: Slot<Pulse>
    let ghost: Ghost

    func activate(with input: Parcel) { ghost.call() }
    func receive(_ command: Parcel) { ghost.call() }
    func didEnd(_ completion: Completion) { ghost.call() }
}

extension RandomCaller {
    /// Registers boards under all IDs and a link.
    func build(on root: Motherboard) {
        self.root = root
        keep(root)
        for number in 0..<6 { register(BoardID("pulse \(number)"), on: root) }
        root.registerLink("pulse/{number}", to: BoardID<Pulse>("pulse 0")) { [weak self] link in
            self?.call()
            return Parcel(try link["number"], self)
        }
    }

    func register(_ id: BoardID<Pulse>, on motherboard: Motherboard) {
        let ghost = makeGhost()
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            motherboard.register(id, replacing: true) { slot in ghost.caller.make(slot) }
        case 1:
            motherboard.register(id, reuse: .perActivation, replacing: true) { slot in ghost.caller.make(slot) }
        case 2:
            motherboard.register(id, replacing: true) { slot, input in
                input.call()
                return ghost.caller.make(slot)
            }
        default:
            motherboard.register(id, replacing: true) { slot in
                CallingStruct(slot: slot, ghost: ghost.caller.make(slot))
            }
        }
    }
}

extension RandomCaller? {
    /// Creates a board and calls back during the creation, as an initializer may.
    fileprivate func make(_ slot: Slot<Pulse>) -> CallingBoard {
        if let self {
            self.factories += 1
            self.keep(slot, in: \.slots)
            if self.chance(40) { self.call() }
            self.factories -= 1
        }
        return CallingBoard(slot: slot, self)
    }
}
