/// The contract-independent base of ``LiveBoard``: who the board is, whether it lives, and which
/// question of a gate it decides.
class AnyLiveBoard: Delivery {
    enum Phase {
        case live
        case ended(Completion)
        case ownerGone
    }

    final let scheduler: TurnScheduler
    /// The number of the latest activation of this board.
    final var generation: UInt64
    final private(set) var phase = Phase.live
    /// Whether a flow, a gate or the end of an enclosing board ended this board.
    final private(set) var isEndDerived = false
    /// The number of this board, unique in its tree.
    let number: UInt64
    /// The state that most boards never need; only its own functions replace it.
    final var extras: Extras?
    /// Whether work of an earlier activation, or work that was replaced, may still run.
    final var hasStaleWork = false

    init(_ scheduler: TurnScheduler, generation: UInt64) {
        self.scheduler = scheduler
        self.generation = generation
        number = generation
    }

    /// Whether the board was created for one caller, who alone receives its outputs.
    final var isPrivate: Bool { extras?.isPrivate ?? false }

    var untypedEntry: AnyBoardEntry { preconditionFailure("A live board was created without a board entry.") }
    /// Whether a later activation of the ID reuses the board.
    var isShared: Bool { false }
    func end(_ completion: Completion) {}
    func dismantle() {}

    /// The snapshot entry of this board.
    func entry(inside: [BoardSnapshot.Entry]) -> BoardSnapshot.Entry {
        preconditionFailure("A live board was created without a contract.")
    }

    /// Returns whether `input` is a written form of the input of the latest activation.
    func isActivated(with input: WrittenPayload) -> Bool { false }

    /// Sends an output that was written down; returns `false` if the output cannot be read.
    func send(reading output: any ReadablePayload) -> Bool { false }

    /// Passes a written-down command to the board; returns `false` if the command cannot be read.
    func receive(reading command: any ReadablePayload) -> Bool { false }

    /// The gate run that this board decides, while an activation waits for the decision.
    final var openRun: UInt64? {
        guard let purpose = extras?.purpose else { return nil }
        return scheduler.gates.run(askedOf: self, for: purpose)
    }

    /// Denies the activations that wait for the decision of this board.
    final func denyOpenRun(_ reason: Denial.Reason) {
        if let openRun { scheduler.deny(openRun, reason) }
    }

    /// Makes the board count as ended from now on.
    final func markEnded(_ completion: Completion) {
        phase = .ended(completion)
        isEndDerived = scheduler.isHandlingFlow
    }

    final func markOrphaned() {
        phase = .ownerGone
        extras?.nested?.level.markOrphaned()
    }

    final func complete(_ completion: Completion) {
        // Checked before the turn, because a turn needs the owner, which may be released.
        guard isLive else { return }
        scheduler.turn { end(completion) }
    }

    final var isLive: Bool {
        if case .live = phase { true } else { false }
    }

    final var ending: Completion? {
        if case .ended(let completion) = phase { completion } else { nil }
    }

    final func dropped(_ message: String) {
        untypedEntry.raise(.droppedOutput, of: self, isProblem: true) {
            isLive
                ? "Work that was superseded or replaced sent \(message); it was dropped. Work that must go on when its "
                    + "board is activated again needs task(lasting: .board)."
                : "The board sent \(message) after it had ended; it was dropped. Send before you complete the board, or use "
                    + "complete(_:sending:)."
        }
    }

    final override var sender: AnyBoardID? { untypedEntry.anyID }

    final override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {
        untypedEntry.raise(kind, of: self, isProblem: true, message)
    }

    final var instance: BoardInstance { BoardInstance(id: untypedEntry.anyID, number: number) }
}
