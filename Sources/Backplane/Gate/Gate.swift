import BackplaneConcurrency

/// A rule: one board, the front, decides whether others are entered.
class Gate {
    /// The result of asking a gate.
    enum Answer {
        /// Nothing is asked: the activation passes.
        case passes
        /// The activation waits, or has been denied.
        case waits
    }

    /// The front's record on the motherboard on which the rule was set.
    var front: AnyRecord { preconditionFailure("A gate without a board was made.") }

    /// Whether the front is the entrance of a scope, and is asked for the scope's input.
    var isEntrance: Bool { false }

    /// Asks the front on behalf of `entrant`, which then waits unless there is nothing to ask.
    func ask(for entrant: Entrant) -> Answer { .passes }

    /// Lets no further activation join a run that this rule began.
    func forget(_ run: GateRun) {}

    /// Whether `other` is a rule with the same front and, as far as that can be told, the same question.
    func isSame(as other: Gate) -> Bool { false }
}

/// A ``Gate`` that knows the contract of its front.
class TypedGate<Front: BoardContract>: Gate {
    private let record: Record<Front>
    /// The question, if it is the same for all activations; nil if it depends on their input.
    private let constant: Front.Input?
    private let question: (Entrant) -> Front.Input?
    private let verdict: (Front.Output) -> GateVerdict
    /// Whether each question is asked at a board of its own.
    private let hasInput: Bool
    /// The questions of this rule that further activations may wait with; only of a front with input.
    private var open: [(input: Front.Input, run: GateRun)] = []

    init(
        by record: Record<Front>,
        asking constant: Front.Input?,
        _ question: @escaping (Entrant) -> Front.Input?,
        verdict: @escaping (Front.Output) -> GateVerdict
    ) {
        self.record = record
        self.constant = constant
        self.question = question
        self.verdict = verdict
        hasInput = Front.Input.self != Void.self
    }

    final override var front: AnyRecord { record }

    /// The effect of an output on `entrant`, which waits for it; `record` is the front's where the output was sent, which may be
    /// inside of a scope.
    func judge(_ output: Front.Output, from record: AnyRecord, for entrant: Entrant) -> GateVerdict { verdict(output) }

    final override func isSame(as other: Gate) -> Bool {
        guard other.front === record else { return false }
        let other = downcast(other, to: TypedGate<Front>.self)
        guard hasInput, let constant, let another = other.constant else { return true }
        return areEqual(constant, another) ?? true
    }

    final override func ask(for entrant: Entrant) -> Answer {
        guard let input = question(entrant) else { return .passes }
        // The closure may have ended what asks.
        guard entrant.canProceed() else { return .waits }
        entrant.beginWaiting(at: record)
        // Looking may let go of what was registered before, which may end the motherboard.
        let isKnown = record.isKnown
        if record.standing != .open {
            entrant.deny(by: record, .ownerGone)
            return .waits
        }
        if !isKnown {
            record.motherboard.reportMissing(record.anyID, for: entrant.purpose)
            entrant.deny(by: record, .noSuchGate)
            return .waits
        }
        let joinable = joinableRun(for: input)
        // So may an observer that heard of the wait, or a comparison of inputs.
        guard entrant.canProceed() else { return .waits }
        if let run = joinable {
            if let circle = run.circle(closedBy: entrant) {
                entrant.deny(by: record, .circle(circle))
            } else {
                run.add(entrant, by: self)
            }
            return .waits
        }
        if let circle = entrant.circle(closedAt: record) {
            entrant.deny(by: record, .circle(circle))
            return .waits
        }
        let run = GateRun(at: record, for: entrant, by: self, kind: hasInput ? .question : .shared)
        if hasInput { remember(input, run) } else { record.sharedRun = run }
        run.add(entrant, by: self)
        // The front is activated by the rule, whoever activated the board behind it.
        let wasDeriving = record.turns.isDeriving
        record.turns.isDeriving = true
        record.activate(for: run, with: input)
        record.turns.isDeriving = wasDeriving
        return .waits
    }

    /// The run that asks the same: any of a front without input, else one of this rule with an equal input.
    private func joinableRun(for input: Front.Input) -> GateRun? {
        hasInput ? runAsking(input) : record.sharedRun
    }

    // Functions of their own, for the sake of gates without input: even to mention the type of what is in the array costs a
    // look-up in unspecialized code.

    @inline(never)
    private func remember(_ input: Front.Input, _ run: GateRun) { open.append((input, run)) }

    @inline(never)
    private func runAsking(_ input: Front.Input) -> GateRun? {
        if constant != nil { return open.first?.run }
        // A comparison may end the run that it is about.
        return open.first { asked in
            (areEqual(asked.input, input) ?? false) && open.contains { $0.run === asked.run }
        }?.run
    }

    final override func forget(_ run: GateRun) {
        let earlier = open
        open = earlier.filter { $0.run !== run }
        letGo(of: earlier)
    }
}
