/// The rule that one board is in front of others.
class Gate {
    /// The board that decides.
    var board: AnyBoardID { preconditionFailure("A gate without a board was made.") }

    /// Lets `entrant` wait for the gate's board, which is activated on `motherboard` unless it is at it already.
    func admit(_ entrant: Entrant, on motherboard: Motherboard) {}
}

/// A ``Gate`` that knows the contract of its board.
final class TypedGate<Contract: BoardContract>: Gate {
    private let id: BoardID<Contract>
    private let input: Contract.Input
    private let verdict: (Contract.Output) -> GateVerdict

    init(_ id: BoardID<Contract>, input: Contract.Input, verdict: @escaping (Contract.Output) -> GateVerdict) {
        self.id = id
        self.input = input
        self.verdict = verdict
    }

    override var board: AnyBoardID { AnyBoardID(id) }

    override func admit(_ entrant: Entrant, on motherboard: Motherboard) {
        let record = motherboard.record(for: id)
        let entry = GateRun<Contract>.Entry(entrant: entrant, verdict: verdict)
        if let run = joinableRun(on: record) { return run.entries.append(entry) }
        // Gates are never gated, or two that are in front of each other would wait for ever.
        guard let (core, _) = motherboard.turns.derive({ record.activateCore(with: input) }) else {
            motherboard.reportMissing(record.anyID)
            return entrant.deny(Denial(gate: record.anyID, reason: .noSuchGate))
        }
        core.gateRun?.denyAll(.gateSuperseded)
        // Whatever the gate has sent by now is queued, its completion too, and will find the run.
        core.gateRun = GateRun(rule: self, gate: record.anyID, entry: entry)
    }

    /// The run that a further entrant may join: one of this very rule, or of any rule where the gate takes no input, so
    /// that what it was asked is the same.
    private func joinableRun(on record: Record<Contract>) -> GateRun<Contract>? {
        record.liveRuns.first { $0.rule === self || Contract.Input.self == Void.self }
    }
}

/// One activation of a gate's board, and those who wait for it, first in, first out.
final class GateRun<Contract: BoardContract> {
    struct Entry {
        let entrant: Entrant
        let verdict: (Contract.Output) -> GateVerdict
    }

    let rule: TypedGate<Contract>
    var entries: [Entry]
    private let gate: AnyBoardID

    init(rule: TypedGate<Contract>, gate: AnyBoardID, entry: Entry) {
        self.rule = rule
        self.gate = gate
        entries = [entry]
    }

    /// Opens or closes for each who waits, on the gate's own typed output and on nothing else.
    func consider(_ output: Contract.Output) {
        // Judged before anyone enters: a board that enters may wait at this gate for something else.
        let judged = entries.map { (entry: $0, verdict: $0.verdict(output)) }
        entries = judged.filter { $0.verdict == .undecided }.map(\.entry)
        for (entry, verdict) in judged {
            switch verdict {
            case .open: entry.entrant.enter()
            case .closed: entry.entrant.deny(Denial(gate: gate, reason: .closed))
            case .undecided: break
            }
        }
    }

    func denyAll(_ reason: Denial.Reason) {
        for entry in entries { entry.entrant.deny(Denial(gate: gate, reason: reason)) }
    }
}
