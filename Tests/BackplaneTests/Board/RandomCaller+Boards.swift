import Backplane
import TestSupport

/// A board whose methods all call back.
final class CallingBoard<Contract: BoardContract>: Ghost, Board {
    let slot: Slot<Contract>

    init(slot: Slot<Contract>, _ caller: RandomCaller?) {
        self.slot = slot
        super.init(caller)
    }

    func activate(with input: Contract.Input) { call() }
    func receive(_ command: Contract.Command) { call() }
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

/// The calls of a slot that the tests make, independent of its contract.
protocol Plug {
    func send(_ parcel: Parcel)
    func sendAlarm(_ alarm: Alarm)
    func sendCommand(_ parcel: Parcel, to id: BoardID<Pulse>)
    func activateSibling(_ id: BoardID<Pulse>, with input: Parcel) -> Activation<Pulse>
    func activateSibling(_ id: BoardID<Ring>) -> Activation<Ring>
    func complete(_ completion: Completion)
    func work(_ caller: RandomCaller)
    func keep(_ component: Ghost, for owner: Owner)
    func pair(with owner: Owner)
    func makeBus() -> Bus<Parcel>
    func isLive(_ id: BoardID<Pulse>) -> Bool
    var inner: Motherboard { get }
}

extension Slot: Plug where Contract.Output == Parcel {
    func sendAlarm(_ alarm: Alarm) { sendAction(alarm) }
    func sendCommand(_ parcel: Parcel, to id: BoardID<Pulse>) { send(parcel, to: id) }

    func activateSibling(_ id: BoardID<Pulse>, with input: Parcel) -> Activation<Pulse> {
        nextToBoard(id, with: input)
    }

    func activateSibling(_ id: BoardID<Ring>) -> Activation<Ring> { nextToBoard(id, with: ()) }

    func work(_ caller: RandomCaller) {
        let ghost = caller.makeGhost()
        task {
            await Task.yield()
            ghost.call()
            if ghost.caller?.chance(20) ?? false { throw Oops() }
        }
    }

    func makeBus() -> Bus<Parcel> { Bus(for: self) }
}

extension RandomCaller {
    /// Registers boards under all IDs and a link.
    func build(on root: Motherboard) {
        self.root = root
        keep(root)
        for number in 0..<6 { register(BoardID<Pulse>("pulse \(number)"), on: root) }
        for number in 0..<3 { register(BoardID<Ring>("ring \(number)"), on: root) }
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
                let board = ghost.caller.make(slot)
                return CallingStruct(slot: board.slot, ghost: board)
            }
        }
    }

    func register(_ id: BoardID<Ring>, on motherboard: Motherboard) {
        let ghost = makeGhost()
        let reuse = chance(70) ? BoardReuse.shared : .perActivation
        motherboard.register(id, reuse: reuse, replacing: true) { slot in ghost.caller.make(slot) }
    }
}

extension RandomCaller? {
    /// Creates a board and calls back during the creation, as an initializer may.
    fileprivate func make<Contract>(_ slot: Slot<Contract>) -> CallingBoard<Contract>
    where Contract.Output == Parcel {
        if let self {
            self.factories += 1
            self.keep(slot, in: \.plugs)
            if self.chance(40) { self.call() }
            self.factories -= 1
        }
        return CallingBoard(slot: slot, self)
    }
}
