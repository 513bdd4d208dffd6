/// How the boards of an identity are made.
class BoardFactory<Contract: BoardContract> {
    /// Kept, because finding a generic type anew costs as much as making the object; found late, because most boards of a large
    /// app are never made.
    private(set) final lazy var liveBoardType: LiveBoard<Contract>.Type =
        Contract.Input.self is any (Encodable & Decodable).Type
        ? RestorableLiveBoard<Contract, Contract.Input>.self : LiveBoard<Contract>.self

    func makeBoard(for slot: Slot<Contract>, _ input: Contract.Input) -> any Board<Contract> & AnyObject {
        preconditionFailure("A registration that makes nothing was made.")
    }
}

/// What most boards are registered by: holds the closure as it was given, for there may be very many.
final class SlotBoardFactory<Made: Board & AnyObject>: BoardFactory<Made.Contract> {
    private let make: (Slot<Made.Contract>) -> Made

    init(_ make: @escaping (Slot<Made.Contract>) -> Made) {
        self.make = make
    }

    override func makeBoard(
        for slot: Slot<Made.Contract>,
        _ input: Made.Contract.Input
    ) -> any Board<Made.Contract> & AnyObject {
        make(slot)
    }
}

/// Any other way.
final class InputBoardFactory<Contract: BoardContract>: BoardFactory<Contract> {
    private let make: (Slot<Contract>, Contract.Input) -> any Board<Contract> & AnyObject

    init(_ make: @escaping (Slot<Contract>, Contract.Input) -> any Board<Contract> & AnyObject) {
        self.make = make
    }

    override func makeBoard(for slot: Slot<Contract>, _ input: Contract.Input) -> any Board<Contract> & AnyObject {
        make(slot, input)
    }
}

/// A board that does nothing by itself, in place of one that is not here.
final class StandIn<Contract: BoardContract>: Board {
    let slot: Slot<Contract>

    init(slot: Slot<Contract>) {
        self.slot = slot
    }

    func activate(with input: Contract.Input) {}
    func receive(_ command: Contract.Command) {}
}

/// A board that is no object, in one: boards are held as objects, which is two words and no copying.
final class BoxedBoard<Boxed: Board>: Board {
    private let board: Boxed

    init(_ board: Boxed) {
        self.board = board
    }

    var slot: Slot<Boxed.Contract> { board.slot }
    func activate(with input: Boxed.Contract.Input) { board.activate(with: input) }
    func receive(_ command: Boxed.Contract.Command) { board.receive(command) }
    func didEnd(_ completion: Completion) { board.didEnd(completion) }
}

/// The effect of activating an ID while a board of it is live.
public enum Reuse: Hashable, Sendable {
    /// There is one board; a new activation reaches it and supersedes the earlier one.
    ///
    /// A screen of the earlier activation has the same slot, so its outputs and its end count for the later one. If both
    /// screens may be visible, register `perActivation`.
    case shared
    /// Each activation makes a board of its own: two courses open at once.
    case perActivation
}
