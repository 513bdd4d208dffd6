import BackplaneConcurrency

/// A rule by which one board, the gate board, decides whether activations enter other boards.
///
/// ``ask(for:)`` starts a decision: ``GateStateMachine`` lets an ``AnyGateWaiter`` wait in a run,
/// and the gate board is activated. The decision then takes this path: output of the gate board →
/// `TurnScheduler.judge(_:_:)`, which takes the verdict of ``Gate/judge(_:for:)`` →
/// ``AnyGateWaiter/pass()`` or ``AnyGateWaiter/deny(by:_:)`` → ``Denial`` → event, denial flow,
/// awaiting caller.
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

    /// Releases the inputs of questions that are no longer open.
    func forgetClosed() {}

    /// Lets an activation wait for the answer to a question, or denies it because of a cycle.
    ///
    /// - Parameters:
    ///   - waiter: the activation.
    ///   - question: the question.
    ///   - joined: a run with another question that has the same answer.
    /// - Returns: the new run, whose gate board must be activated, or `nil` if there is none.
    final func wait(
        _ waiter: AnyGateWaiter,
        for question: GateQuestion,
        joining joined: UInt64? = nil
    ) -> UInt64? {
        switch gateBoard.scheduler.gates.ask(question, as: waiter, joining: joined) {
        case .cycle(let cycle): waiter.deny(by: gateBoard, .cycle(cycle))
        case .joined(let run): waiter.run = run
        case .began(let run):
            waiter.run = run
            return run
        }
        return nil
    }

    /// Returns whether `other` has the same gate board and the same question.
    ///
    /// Questions that cannot be compared count as the same.
    func isSame(as other: AnyGate) -> Bool { false }
}

/// An ``AnyGate`` with the contract of its gate board.
class Gate<GateContract: BoardContract>: AnyGate {
    /// Calls its second argument with the question for an activation, unless there is none.
    ///
    /// It does not return an optional, because that costs a look-up of the type.
    typealias Question = (AnyGateWaiter, (GateContract.Input) -> Void) -> Void

    private let entry: BoardEntry<GateContract>
    /// The question if it is the same for all activations; `nil` if it depends on their input.
    private let constant: GateContract.Input?
    private let isConstant: Bool
    private let question: Question
    private let verdict: (GateContract.Output) -> GateVerdict
    /// The identity of the question, if it is the same for all activations.
    private var identity: GateQuestion
    /// The open questions of this rule, with their inputs, if they depend on what is entered.
    private var open: [(input: GateContract.Input, number: UInt64, run: UInt64)] = []
    private var lastNumber: UInt64 = 0

    init(
        by entry: BoardEntry<GateContract>,
        asking constant: GateContract.Input?,
        _ question: @escaping Question,
        verdict: @escaping (GateContract.Output) -> GateVerdict
    ) {
        self.entry = entry
        self.constant = constant
        self.question = question
        self.verdict = verdict
        let hasInput = GateContract.Input.self != Void.self
        isConstant = constant != nil || !hasInput
        identity = GateQuestion(kind: hasInput ? .own : .shared, board: entry.anyID, at: entry)
        super.init()
        if hasInput { identity.rule = ObjectIdentifier(self) }
    }

    final override var gateBoard: AnyBoardEntry { entry }

    /// Returns the effect of an output of the gate board on one waiting activation.
    ///
    /// - Parameters:
    ///   - output: the output of the gate board.
    ///   - waiter: the activation that waits for the decision.
    /// - Returns: the verdict for this activation.
    func judge(_ output: GateContract.Output, for waiter: AnyGateWaiter) -> GateVerdict {
        verdict(output)
    }

    final override func isSame(as other: AnyGate) -> Bool {
        guard other.gateBoard === entry else { return false }
        let other = uncheckedDowncast(other, to: Gate<GateContract>.self)
        guard identity.kind == .own, let constant, let another = other.constant else { return true }
        return areEqual(constant, another) ?? true
    }

    final override func ask(for waiter: AnyGateWaiter) -> AskResult {
        var result = AskResult.passes
        question(waiter) { input in result = ask(input, for: waiter) }
        return result
    }

    private func ask(_ input: GateContract.Input, for waiter: AnyGateWaiter) -> AskResult {
        // The closure may have ended the activation that asks.
        guard waiter.canProceed() else { return .waits }
        let question = isConstant ? identity : identify(input)
        if entry.scheduler.gates.isExempt(from: question, for: waiter) {
            return waiter.canProceed() ? .passes : .waits
        }
        waiter.beginWaiting(at: entry)
        // `isKnown` may release an earlier registration. Its captures may call back and end the
        // motherboard.
        let isKnown = entry.isKnown
        if entry.standing != .open {
            waiter.deny(by: entry, .ownerGone)
            return .waits
        }
        // An observer of the wait, or a comparison of inputs, may call back too. It may replace the
        // entrance of a scope, and then the activation waits at another gate.
        guard waiter.canProceed(), waiter.gate === self, let run = wait(waiter, for: question) else { return .waits }
        if question.input != 0 { remember(input, question.input, run) }
        if !isKnown {
            // The run exists already, so a fallback that asks again waits in it and does not
            // recurse.
            entry.motherboard.reportMissing(entry.anyID, for: waiter.purpose)
            entry.scheduler.deny(run, .noSuchGate)
            return .waits
        }
        // The gate causes this activation, not the code that activated the board behind the gate.
        entry.scheduler.handleFlow { entry.activate(for: run, with: input) }
        return .waits
    }

    // Separate functions, not inlined, so that other gates save a type lookup. In unspecialized
    // code, even naming the element type of the array costs one.

    /// Returns the identity of the question with an input.
    ///
    /// It has the number of an open question with an equal input, if there is one.
    @inline(never)
    private func identify(_ input: GateContract.Input) -> GateQuestion {
        var question = identity
        for asked in open {
            let isEqual = areEqual(asked.input, input)
            if isEqual == nil { question.isComparable = false }
            guard isEqual == true else { continue }
            question.input = asked.number
            return question
        }
        lastNumber += 1
        question.input = lastNumber
        return question
    }

    @inline(never)
    private func remember(_ input: GateContract.Input, _ number: UInt64, _ run: UInt64) {
        open.append((input, number, run))
    }

    final override func forgetClosed() {
        if lastNumber == 0 { return }
        let earlier = open
        open = earlier.filter { entry.scheduler.gates.isOpen($0.run) }
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
