@testable import Backplane

/// A number with a set, whose order in a snapshot differs from process to process.
struct MarkedNumber: Codable, Hashable {
    let number: Int
    let marks: Set<Int>

    init(_ number: Int) {
        self.number = number
        marks = [number, number + 10, number + 20]
    }
}

/// The common contract of all boards in scripts, which send and receive numbers.
protocol ScriptedContract: BoardContract where Output == MarkedNumber, Command == Int {
    static func input(_ number: Int) -> Input
    static func number(_ input: Input) -> Int
}

/// A contract with a number as input.
enum Counting: ScriptedContract {
    typealias Input = MarkedNumber
    typealias Output = MarkedNumber
    typealias Command = Int

    static func input(_ number: Int) -> MarkedNumber { MarkedNumber(number) }
    static func number(_ input: MarkedNumber) -> Int { input.number }
}

/// A contract without input.
enum Calling: ScriptedContract {
    typealias Output = MarkedNumber
    typealias Command = Int

    static func input(_ number: Int) {}
    static func number(_ input: Void) -> Int { 0 }
}

// The common protocols of the IDs, slots and handles of both contracts.

protocol ScriptedID {
    associatedtype Contract: ScriptedContract
    var id: BoardID<Contract> { get }
}

extension BoardID: ScriptedID where Contract: ScriptedContract {
    var id: Self { self }
}

protocol ScriptedSlot {
    var inner: Motherboard { get }
    func send(_ output: MarkedNumber)
    func send<Other>(_ command: Other.Command, to id: BoardID<Other>) -> CommandResult
    func sendAction(_ action: some BoardFlowAction)
    func nextToBoard<Other>(_ id: BoardID<Other>, with input: Other.Input) -> Activation<Other>
    func complete(_ completion: Completion)
    func pair(with object: some LifetimeOwner)
    func keep(_ component: some AnyObject, for object: some LifetimeOwner)
    var isLive: Bool { get }
    func task(
        _ key: TaskKey?,
        lasting lifetime: TaskLifetime,
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) -> Task<Void, Never>
    func task(_ operation: nonisolated(nonsending) @escaping () async throws -> Void) -> Task<Void, Never>
    func isLive<Other>(_ id: BoardID<Other>) -> Bool
    func liveCount<Other>(of id: BoardID<Other>) -> Int
}

extension Slot: ScriptedSlot where Contract: ScriptedContract {}

protocol ScriptedHandle {
    var state: ActivationState { get }
    var completion: Completion? { get }
    func send(_ command: Int) -> CommandResult
    func complete(_ completion: Completion)
    /// Returns a task that ends with the wait of the activation, on the owner of the script.
    func caller(isolation: isolated any Actor) -> Task<ActivationState, Never>
    /// Returns whether both handles belong to the same activation.
    func isSame(as other: any ScriptedHandle) -> Bool
}

extension Activation: ScriptedHandle where Contract: ScriptedContract {
    func isSame(as other: any ScriptedHandle) -> Bool { other as? Self == self }

    func caller(isolation: isolated any Actor) -> Task<ActivationState, Never> {
        Task {
            _ = isolation
            return await settled()
        }
    }
}

struct Flare: BoardFlowAction {
    let value: Int
}

struct Beacon: BoardFlowAction {
    let value: Int
}

extension Name {
    var id: any ScriptedID {
        self == .void ? Name.calling : counting
    }

    /// The ID of this name as the ID of a board with input.
    var counting: BoardID<Counting> { BoardID(rawValue) }

    /// The ID of the board without input.
    static var calling: BoardID<Calling> { BoardID(Name.void.rawValue) }

    init?(_ id: AnyBoardID) { self.init(rawValue: id.name) }

    var anyID: AnyBoardID { AnyBoardID(counting) }
}

extension Ending {
    private struct Failure: Error {}

    init(_ completion: Completion) {
        switch completion {
        case .done: self = .done
        case .cancelled: self = .cancelled
        case .failed: self = .failed
        }
    }

    var completion: Completion {
        switch self {
        case .done: .done
        case .cancelled: .cancelled
        case .failed: .failed(Failure())
        }
    }
}
