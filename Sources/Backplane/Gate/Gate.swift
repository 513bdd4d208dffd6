import BackplaneConcurrency

/// A rule by which one board, the gate board, decides whether activations enter other boards.
///
/// ``ask(for:)`` starts a decision: it lets a ``AnyGateWaiter`` wait in a ``GateRun`` and activates
/// the gate board. The decision then takes this path: output of the gate board →
/// `BoardEntry.judge(_:_:)` → ``GateRun/judge(_:)``, which takes the verdict of
/// ``Gate/judge(_:from:for:)`` → ``AnyGateWaiter/pass(_:)`` or ``AnyGateWaiter/deny(by:_:)`` →
/// ``Denial`` → event, denial flow, awaiting caller.
class AnyGate {
    /// The result of asking a gate.
    enum AskResult {
        /// The gate has no question, and the activation passes.
        case passes
        /// The activation waits or is already denied.
        case waits
    }

    /// The gate board's entry on the motherboard on which the rule was set.
    var gateBoard: AnyBoardEntry { preconditionFailure("A subclass of AnyGate must override gateBoard.") }

    /// Whether the gate board is the entrance of a scope and sends the scope's input.
    var isEntrance: Bool { false }

    /// Asks the gate board on behalf of `waiter`, which then waits unless there is no question.
    func ask(for waiter: AnyGateWaiter) -> AskResult { .passes }

    /// Prevents further activations from joining a run that this rule began.
    func forget(_ run: GateRun) {}

    /// Returns whether `other` has the same gate board and the same question.
    ///
    /// Questions that cannot be compared count as the same.
    func isSame(as other: AnyGate) -> Bool { false }
}

/// An ``AnyGate`` with the contract of its gate board.
class Gate<GateContract: BoardContract>: AnyGate {
    private let entry: BoardEntry<GateContract>
    /// The question if it is the same for all activations; `nil` if it depends on their input.
    private let constant: GateContract.Input?
    private let question: (AnyGateWaiter) -> GateContract.Input?
    private let verdict: (GateContract.Output) -> GateVerdict
    /// Whether the gate board has an input, so that each question gets a board of its own.
    private let hasInput: Bool
    /// The questions of this rule that further activations may join.
    ///
    /// Empty for a gate board without input.
    private var open: [(input: GateContract.Input, run: GateRun)] = []

    init(
        by entry: BoardEntry<GateContract>,
        asking constant: GateContract.Input?,
        _ question: @escaping (AnyGateWaiter) -> GateContract.Input?,
        verdict: @escaping (GateContract.Output) -> GateVerdict
    ) {
        self.entry = entry
        self.constant = constant
        self.question = question
        self.verdict = verdict
        hasInput = GateContract.Input.self != Void.self
    }

    final override var gateBoard: AnyBoardEntry { entry }

    /// Returns the effect of an output of the gate board on one waiting activation.
    ///
    /// - Parameters:
    ///   - output: the output of the gate board.
    ///   - entry: the entry of the board that sent the output, which may be inside a scope.
    ///   - waiter: the activation that waits for the decision.
    /// - Returns: the verdict for this activation.
    func judge(_ output: GateContract.Output, from entry: AnyBoardEntry, for waiter: AnyGateWaiter) -> GateVerdict {
        verdict(output)
    }

    final override func isSame(as other: AnyGate) -> Bool {
        guard other.gateBoard === entry else { return false }
        let other = downcast(other, to: Gate<GateContract>.self)
        guard hasInput, let constant, let another = other.constant else { return true }
        return areEqual(constant, another) ?? true
    }

    final override func ask(for waiter: AnyGateWaiter) -> AskResult {
        guard let input = question(waiter) else { return .passes }
        // The closure may have ended the activation that asks.
        guard waiter.canProceed() else { return .waits }
        waiter.beginWaiting(at: entry)
        // `isKnown` may release an earlier registration. Its captures may call back and end the
        // motherboard.
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
        // An observer of the wait, or a comparison of inputs, may call back too.
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
        // The gate causes this activation, not the code that activated the board behind the gate.
        let wasHandlingFlow = entry.scheduler.isHandlingFlow
        entry.scheduler.isHandlingFlow = true
        entry.activate(for: run, with: input)
        entry.scheduler.isHandlingFlow = wasHandlingFlow
        return .waits
    }

    /// Returns the run that already asks this question.
    ///
    /// For a gate board without input, any run matches. For one with input, a run of this rule with
    /// an equal input matches.
    private func joinableRun(for input: GateContract.Input) -> GateRun? {
        hasInput ? runAsking(input) : entry.sharedRun
    }

    // Separate functions, not inlined, so that gates without input save a type lookup. In
    // unspecialized code, even naming the element type of the array costs one.

    @inline(never)
    private func remember(_ input: GateContract.Input, _ run: GateRun) { open.append((input, run)) }

    @inline(never)
    private func runAsking(_ input: GateContract.Input) -> GateRun? {
        if constant != nil { return open.first?.run }
        // A comparison may end the run, so the run must still be in the list.
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

/// The effect of an output of the gate board on the activations that wait for its decision.
public enum GateVerdict: Hashable, Sendable {
    /// The activations pass this gate: they ask the next gate or enter their board.
    case open
    /// The activations are denied at once.
    case closed
    /// The output decides nothing, and the activations keep waiting.
    case undecided
}

extension BoardEntry {
    /// Judges an output of this gate board for all activations that wait in `run`.
    ///
    /// This is the first step of a decision; see ``AnyGate``.
    func judge(_ output: Contract.Output, _ run: GateRun) {
        // This board answers the run, so every rule in the run has a gate board with this contract.
        run.judge { gate, waiter in
            downcast(gate, to: Gate<Contract>.self).judge(output, from: self, for: waiter)
        }
    }

    /// Returns whether `purpose` is a question to this board for which an activation still waits.
    func isAnswer(to purpose: Purpose?) -> Bool {
        guard let purpose, purpose.isRun else { return false }
        return !downcast(purpose, to: GateRun.self).isOver
    }
}
