import BackplaneConcurrency

/// A made board and all that belongs to it; what a ``Slot`` and an ``Activation`` refer to.
///
/// It is an item of the queue too: the board's completion.
final class SlotCore<Contract: BoardContract>: AnySlotCore {
    let record: Record<Contract>
    private let turns: Turns
    /// Nil while the board is being made and once it has ended.
    var board: (any Board<Contract> & AnyObject)?

    required init(record: Record<Contract>, generation: UInt64) {
        self.record = record
        turns = record.turns
        super.init(generation: generation)
    }

    override var untypedRecord: AnyRecord { record }

    // MARK: Messages

    func send(_ output: Contract.Output) {
        guard isLive else { return dropped("an output") }
        if turns.open() {
            // Nothing waits: past the queue.
            record.deliver(output, from: self)
            turns.close()
        } else {
            turns.enqueue(record.pendingOutput.init(output, from: self))
        }
    }

    /// Gives a command to the board; false when there is none, any more or yet.
    func receive(_ command: Contract.Command) -> Bool {
        guard isLive, let board else { return false }
        let isOutermost = turns.open()
        record.raise(.command) { "Received a command." }
        board.receive(command)
        if isOutermost { turns.close() }
        return true
    }

    override func deliver() {
        guard let ending else { return }
        record.deliver(ending, from: self)
        // Handles may keep this core; what was inside the board goes.
        extras = nil
    }

    // MARK: The gate's run

    /// The activations that wait for this board as their gate.
    var gateRun: GateRun<Contract>? {
        get { extras?.gateRun.map { downcast($0, to: GateRun<Contract>.self) } }
        set { if newValue != nil || extras != nil { needExtras().gateRun = newValue } }
    }

    // MARK: The end

    override func end(_ completion: Completion) {
        guard isLive else { return }
        phase = .ended(completion)
        record.forget(self)
        board = nil
        if let extras {
            extras.tasks.cancelAll()
            // Before its own completion is queued: what is inside ends first.
            extras.nested?.end()
        }
        record.turns.enqueue(self)
    }

    override func dismantle() {
        board = nil
        guard let extras else { return }
        gateRun?.denyAll(.ownerGone)
        extras.gateRun = nil
        extras.tasks.cancelAll()
        extras.nested?.dismantle()
        self.extras = nil
    }
}

/// What of a ``SlotCore`` does not depend on its contract.
class AnySlotCore: Delivery {
    enum Phase {
        case live
        case ended(Completion)
        case ownerGone
    }

    /// What most boards never need, kept apart so that they do not pay for it.
    final class Extras {
        let tasks = TaskBag()
        var nested: Motherboard?
        fileprivate(set) var gateRun: AnyObject?
    }

    /// The number of the latest activation of this board.
    final var generation: UInt64
    final var phase = Phase.live
    final fileprivate(set) var extras: Extras?

    init(generation: UInt64) {
        self.generation = generation
    }

    var untypedRecord: AnyRecord { preconditionFailure("A slot without a record was made.") }
    func end(_ completion: Completion) {}
    func dismantle() {}

    final func markOrphaned() {
        phase = .ownerGone
        extras?.nested?.markOrphaned()
    }

    final func complete(_ completion: Completion) {
        // Before the turn: a turn needs the owner, which may be gone.
        guard isLive else { return }
        let turns = untypedRecord.turns
        turns.turn { end(completion) }
    }

    final var isLive: Bool {
        if case .live = phase { true } else { false }
    }

    final var ending: Completion? {
        if case .ended(let completion) = phase { completion } else { nil }
    }

    final func dropped(_ message: String) {
        raise(.droppedOutput) { "The board sent \(message) after it had ended; it was dropped." }
    }

    final override var sender: AnyBoardID? { untypedRecord.anyID }

    final override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {
        untypedRecord.raise(kind, message)
    }

    fileprivate final func needExtras() -> Extras {
        if let extras { return extras }
        let made = Extras()
        extras = made
        return made
    }

    final func nestedMotherboard() -> Motherboard {
        guard isLive else { return Motherboard(endedIn: untypedRecord.turns) }
        let extras = needExtras()
        if let nested = extras.nested { return nested }
        let nested = Motherboard(insideBoardOf: untypedRecord)
        extras.nested = nested
        return nested
    }

    final func startTask(
        _ operation: nonisolated(nonsending) @escaping () async throws -> Void
    ) -> Task<Void, Never> {
        guard isLive else { return Task {} }
        return needExtras().tasks.start(on: untypedRecord.turns.owner) {
            do {
                try await operation()
            } catch is CancellationError {
                // Being told to stop is no failure.
            } catch {
                self.complete(.failed(error))
            }
        }
    }
}

/// An output sent in the middle of a turn.
final class PendingOutput<Contract: BoardContract>: Delivery {
    private let output: Contract.Output
    private let core: SlotCore<Contract>

    required init(_ output: Contract.Output, from core: SlotCore<Contract>) {
        self.output = output
        self.core = core
    }

    override var sender: AnyBoardID? { core.sender }
    override func deliver() { core.record.deliver(output, from: core) }
    override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) { core.raise(kind, message) }
}
