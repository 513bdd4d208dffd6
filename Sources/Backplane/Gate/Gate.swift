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

    /// Asks the front on behalf of `entrant`, which then waits unless there is nothing to ask.
    func ask(for entrant: Entrant) -> Answer { .passes }

    /// Returns whether `other` has the same front and the same question; questions that cannot be compared count as the same.
    func isSame(as other: Gate) -> Bool { false }
}

/// A ``Gate`` that knows the contract of its front.
final class TypedGate<Front: BoardContract>: Gate {
    private let record: Record<Front>
    /// The question, if it is the same for all activations; nil if it depends on their input.
    private let constant: Front.Input?
    private let question: (Entrant) -> Front.Input?
    let verdict: (Front.Output) -> GateVerdict
    /// The runs of this rule that further entrants may join; only for a front with input.
    private var runs: [GateRun<Front>] = []

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
    }

    override var front: AnyRecord { record }

    override func isSame(as other: Gate) -> Bool {
        guard other.front === record else { return false }
        let other = downcast(other, to: TypedGate<Front>.self)
        guard Front.Input.self != Void.self, let constant, let another = other.constant else { return true }
        return areEqual(constant, another) ?? true
    }

    override func ask(for entrant: Entrant) -> Answer {
        guard let input = question(entrant) else { return .passes }
        // The closure may have ended what asks.
        guard entrant.canProceed() else { return .waits }
        entrant.beginWaiting(at: record)
        if record.standing != .open {
            entrant.deny(by: record, .ownerGone)
            return .waits
        }
        if !record.isRegistered {
            record.motherboard.reportMissing(record.anyID, for: entrant.purpose)
            entrant.deny(by: record, .noSuchGate)
            return .waits
        }
        if let run = joinableRun(for: input) {
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
        let run = GateRun(at: record, asking: input, for: entrant, by: self)
        if Front.Input.self == Void.self { record.sharedRun = run } else { runs.append(run) }
        // The rule activates the front, so the event is derived.
        record.turns.derive { record.activate(for: run, with: input) }
        return .waits
    }

    /// Returns the run to join: the shared one of a front without input, else one of this rule with an equal input.
    private func joinableRun(for input: Front.Input) -> GateRun<Front>? {
        if Front.Input.self == Void.self { return record.sharedRun }
        if constant != nil { return runs.first }
        return runs.first { areEqual($0.input, input) ?? false }
    }

    func forget(_ run: GateRun<Front>) {
        runs = runs.filter { $0 !== run }
    }
}
