/// A factory that makes the boards of one ID.
class BoardFactory<Contract: BoardContract> {
    /// The type of the live board to create.
    ///
    /// Stored, because looking up a generic type costs as much as creating the object. Lazy,
    /// because most boards of a large app are never made.
    private(set) final lazy var liveBoardType: LiveBoard<Contract>.Type =
        Contract.Input.self is any (Encodable & Decodable).Type
        ? RestorableLiveBoard<Contract, Contract.Input>.self : LiveBoard<Contract>.self

    /// Whether restoring a snapshot may activate the board again.
    var isRepeatable: Bool { true }

    func makeBoard(for slot: Slot<Contract>, _ input: Contract.Input) -> any Board<Contract> & AnyObject {
        preconditionFailure("A board factory was made that cannot make boards.")
    }
}

/// The factory of most boards.
///
/// Stores the closure unchanged, because an app may have very many factories.
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

/// The factory of boards that are made from their input.
final class InputBoardFactory<Contract: BoardContract>: BoardFactory<Contract> {
    private let make: (Slot<Contract>, Contract.Input) -> any Board<Contract> & AnyObject

    override var isRepeatable: Bool { mayRepeat }
    private let mayRepeat: Bool

    init(
        isRepeatable: Bool = true,
        _ make: @escaping (Slot<Contract>, Contract.Input) -> any Board<Contract> & AnyObject
    ) {
        mayRepeat = isRepeatable
        self.make = make
    }

    override func makeBoard(for slot: Slot<Contract>, _ input: Contract.Input) -> any Board<Contract> & AnyObject {
        make(slot, input)
    }
}

/// A board that does nothing by itself and replaces one that is not available.
final class StandIn<Contract: BoardContract>: Board {
    let slot: Slot<Contract>

    init(slot: Slot<Contract>) {
        self.slot = slot
    }

    func activate(with input: Contract.Input) {}
    func receive(_ command: Contract.Command) {}
}

/// An object that holds a board that is not an object.
///
/// Motherboards hold boards as objects, which takes two words and needs no copies.
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

/// The effect of a second activation of an ID, while a board of that ID is live.
public enum BoardReuse: Hashable, Sendable {
    /// All activations use one board; a new activation supersedes the previous one.
    ///
    /// A screen of the previous activation has the same slot. So its outputs and its completion
    /// count for the new activation. If both screens may be visible, register `perActivation`.
    case shared
    /// Each activation makes its own board, for example for two courses that are open at the same
    /// time.
    case perActivation
}
