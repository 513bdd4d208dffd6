import BackplaneConcurrency

/// A rule: one board, the gate board, decides whether others are entered.
class Gate {
    /// The result of asking a gate.
    enum Answer {
        /// Nothing is asked: the activation passes.
        case passes
        /// The activation waits, or has been denied.
        case waits
    }

    /// The gate board's entry on the motherboard on which the rule was set.
    var gateBoard: AnyBoardEntry { preconditionFailure("A gate without a board was made.") }

    /// Whether the gate board is the entrance of a scope, and is asked for the scope's input.
    var isEntrance: Bool { false }

    /// Asks the gate board on behalf of `waiter`, which then waits unless there is nothing to ask.
    func ask(for waiter: GateWaiter) -> Answer { .passes }

    /// Lets no further activation join a run that this rule began.
    func forget(_ run: GateRun) {}

    /// Whether `other` is a rule with the same gate board and, as far as that can be told, the same question.
    func isSame(as other: Gate) -> Bool { false }
}

/// A ``Gate`` that knows the contract of its gate board.
class TypedGate<GateContract: BoardContract>: Gate {
    private let entry: BoardEntry<GateContract>
    /// The question, if it is the same for all activations; nil if it depends on their input.
    private let constant: GateContract.Input?
    private let question: (GateWaiter) -> GateContract.Input?
    private let verdict: (GateContract.Output) -> GateVerdict
    /// Whether each question is asked at a board of its own.
    private let hasInput: Bool
    /// The questions of this rule that further activations may wait with; only of a gate board with input.
    private var open: [(input: GateContract.Input, run: GateRun)] = []

    init(
        by entry: BoardEntry<GateContract>,
        asking constant: GateContract.Input?,
        _ question: @escaping (GateWaiter) -> GateContract.Input?,
        verdict: @escaping (GateContract.Output) -> GateVerdict
    ) {
        self.entry = entry
        self.constant = constant
        self.question = question
        self.verdict = verdict
        hasInput = GateContract.Input.self != Void.self
    }

    final override var gateBoard: AnyBoardEntry { entry }

    /// The effect of an output on `waiter`, which waits for it; `entry` is the gate board's where the output was sent, which may be
    /// inside of a scope.
    func judge(_ output: GateContract.Output, from entry: AnyBoardEntry, for waiter: GateWaiter) -> GateVerdict {
        verdict(output)
    }

    final override func isSame(as other: Gate) -> Bool {
        guard other.gateBoard === entry else { return false }
        let other = downcast(other, to: TypedGate<GateContract>.self)
        guard hasInput, let constant, let another = other.constant else { return true }
        return areEqual(constant, another) ?? true
    }

    final override func ask(for waiter: GateWaiter) -> Answer {
        guard let input = question(waiter) else { return .passes }
        // The closure may have ended what asks.
        guard waiter.canProceed() else { return .waits }
        waiter.beginWaiting(at: entry)
        // Looking may let go of what was registered before, which may end the motherboard.
        let isKnown = entry.isKnown
        if entry.standing != .open {
            waiter.deny(by: entry, .ownerGone)
            return .waits
        }
        if !isKnown {
            entry.motherboard.reportMissing(entry.anyID, for: waiter.purpose)
            waiter.deny(by: entry, .noSuchGate)
            return .waits
        }
        let joinable = joinableRun(for: input)
        // So may an observer that heard of the wait, or a comparison of inputs.
        guard waiter.canProceed() else { return .waits }
        if let run = joinable {
            if let circle = run.circle(closedBy: waiter) {
                waiter.deny(by: entry, .circle(circle))
            } else {
                run.add(waiter, by: self)
            }
            return .waits
        }
        if let circle = waiter.circle(closedAt: entry) {
            waiter.deny(by: entry, .circle(circle))
            return .waits
        }
        let run = GateRun(at: entry, for: waiter, by: self, kind: hasInput ? .question : .shared)
        if hasInput { remember(input, run) } else { entry.sharedRun = run }
        run.add(waiter, by: self)
        // The gate board is activated by the rule, whoever activated the board behind it.
        let wasHandlingFlow = entry.scheduler.isHandlingFlow
        entry.scheduler.isHandlingFlow = true
        entry.activate(for: run, with: input)
        entry.scheduler.isHandlingFlow = wasHandlingFlow
        return .waits
    }

    /// The run that asks the same: any of a gate board without input, else one of this rule with an equal input.
    private func joinableRun(for input: GateContract.Input) -> GateRun? {
        hasInput ? runAsking(input) : entry.sharedRun
    }

    // Functions of their own, for the sake of gates without input: even to mention the type of what is in the array costs a
    // look-up in unspecialized code.

    @inline(never)
    private func remember(_ input: GateContract.Input, _ run: GateRun) { open.append((input, run)) }

    @inline(never)
    private func runAsking(_ input: GateContract.Input) -> GateRun? {
        if constant != nil { return open.first?.run }
        // A comparison may end the run that it is about.
        return open.first { asked in
            (areEqual(asked.input, input) ?? false) && open.contains { $0.run === asked.run }
        }?.run
    }

    final override func forget(_ run: GateRun) {
        let earlier = open
        open = earlier.filter { $0.run !== run }
        drop(earlier)
    }
}

/// The effect of a gate's output on the activations that wait for it.
public enum GateVerdict: Hashable, Sendable {
    /// Lets the activations pass this gate: the next gate is asked, or the board is entered.
    case open
    /// Denies the activations at once.
    case closed
    /// Decides nothing; the activations keep waiting.
    case undecided
}

extension BoardEntry {
    /// Judges an output for all activations that wait for an answer to `run`.
    func judge(_ output: Contract.Output, _ run: GateRun) {
        // Of a run that this board answers each rule has this board for a gate board.
        run.judge { gate, waiter in
            downcast(gate, to: TypedGate<Contract>.self).judge(output, from: self, for: waiter)
        }
    }

    /// Whether an activation waits for an answer to this question.
    func isAnswer(to purpose: Purpose?) -> Bool {
        guard let purpose, purpose.isRun else { return false }
        return !downcast(purpose, to: GateRun.self).isOver
    }
}
