import Backplane

/// A board whose behavior each test defines by closures.
final class ProbeBoard<Contract: BoardContract>: Board {
    let slot: Slot<Contract>
    var onActivate: (ProbeBoard, Contract.Input) -> Void
    var onCommand: (ProbeBoard, Contract.Command) -> Void
    var onEnd: (ProbeBoard, Completion) -> Void

    init(
        slot: Slot<Contract>,
        onActivate: @escaping (ProbeBoard, Contract.Input) -> Void = { _, _ in },
        onCommand: @escaping (ProbeBoard, Contract.Command) -> Void = { _, _ in },
        onEnd: @escaping (ProbeBoard, Completion) -> Void = { _, _ in }
    ) {
        self.slot = slot
        self.onActivate = onActivate
        self.onCommand = onCommand
        self.onEnd = onEnd
    }

    func activate(with input: Contract.Input) {
        onActivate(self, input)
    }

    func receive(_ command: Contract.Command) {
        onCommand(self, command)
    }

    func didEnd(_ completion: Completion) {
        onEnd(self, completion)
    }
}

/// A list of noted lines, in order.
final class Journal {
    private(set) var lines: [String] = []

    func note(_ line: String) {
        lines.append(line)
    }
}

/// A board with numbers as input, output and commands.
enum Numbers: BoardContract {
    typealias Input = Int
    typealias Output = Int
    typealias Command = Int
}

/// Another board with numbers as input and output.
enum Figures: BoardContract {
    typealias Input = Int
    typealias Output = Int
}

/// A board with text as input and output.
enum Words: BoardContract {
    typealias Input = String
    typealias Output = String
}

/// A board without input that sends a verdict.
enum Doorkeeper: BoardContract {
    typealias Output = Bool
}

extension BoardID<Numbers> {
    static var first: Self { "first" }
    static var second: Self { "second" }
    static var third: Self { "third" }
}

extension BoardID<Figures> {
    static var figures: Self { "figures" }
}

extension BoardID<Words> {
    static var words: Self { "words" }
}

extension BoardID<Doorkeeper> {
    static var doorkeeper: Self { "doorkeeper" }
}

enum Wish: BoardFlowAction, Codable {
    case returnHome
}

extension Motherboard {
    /// Registers a board that calls `onActivate` and `onCommand`.
    func probe<Contract>(
        _ id: BoardID<Contract>,
        reuse: BoardReuse = .shared,
        onActivate: @escaping (ProbeBoard<Contract>, Contract.Input) -> Void = { _, _ in },
        onCommand: @escaping (ProbeBoard<Contract>, Contract.Command) -> Void = { _, _ in }
    ) {
        register(id, reuse: reuse) { slot in
            ProbeBoard(slot: slot, onActivate: onActivate, onCommand: onCommand)
        }
    }

    /// Returns a record of the events raised from now on.
    func observeEvents() -> EventRecord {
        let record = EventRecord()
        observe { record.events.append($0) }
        return record
    }
}

final class EventRecord {
    var events: [BoardEvent] = []

    func boards(_ kind: BoardEvent.Kind) -> [String] {
        events.filter { $0.kind == kind }.map { $0.board?.name ?? "-" }
    }
}
