import BackplaneConcurrency

/// One question to a front, and the activations that wait for the answer, first in, first out.
///
/// It is the ``Purpose`` of the board that answers.
class AnyGateRun: Purpose {
    /// The front's record.
    let front: AnyRecord
    /// The runs that caused this one.
    private let causes: [AnyGateRun]
    /// The purpose of the activation that caused this one; the board that answers acts for it, too.
    final let purpose: Purpose?
    /// The activation of the front's board while it waits at a gate of its own.
    final var boardEntrant: Entrant?
    /// Whether the board was made for this run.
    final var hasMadeBoard = false
    /// Whether the board is asked this question only.
    final let ownsBoard: Bool
    /// The board that is asked, once it is live.
    final var core: AnySlotCore?

    init(at front: AnyRecord, for entrant: Entrant, ownsBoard: Bool) {
        self.front = front
        causes = entrant.causes
        purpose = entrant.purpose
        self.ownsBoard = ownsBoard
        super.init(isRun: true)
        front.turns.add(self)
    }

    final override var openRuns: [AnyGateRun] { (isOver ? [] : [self]) + (purpose?.openRuns ?? []) }

    /// Whether no activation waits any more.
    var isOver: Bool { true }

    func remove(_ entrant: Entrant) {}
    func denyAll(_ reason: Denial.Reason) {}
    /// Prevents further activations from joining.
    func close() {}

    /// Denies the waiting activations, behind the outputs sent so far, because the front was activated for something else.
    final func supersede() {
        close()
        core = nil
        front.turns.enqueue(Supersession(of: self))
    }

    /// Denies the waiting activations because the front's board was denied by a gate in front of it.
    final func wasDenied(_ denial: Denial) {
        switch denial.reason {
        case .circle, .ownerGone: denyAll(denial.reason)
        default: denyAll(.gateDenied(denial))
        }
    }

    /// Returns the fronts along the causes of this run, from `front` to its own; nil if `front` is not among them.
    final func path(from front: AnyRecord) -> [AnyBoardID]? {
        if isOver { return nil }
        if self.front === front { return [front.anyID] }
        return causes.lazy.compactMap { $0.path(from: front) }.first.map { $0 + [self.front.anyID] }
    }

    /// Ends the run when no activation waits any more.
    final func finish() {
        close()
        front.turns.forget(self)
        boardEntrant = nil
        core = nil
    }

    /// Returns the circle that `entrant` would close by waiting here; nil if there is none.
    ///
    /// There is one if this run waits, directly or through others, for a run that the entrant is the front of or acts for.
    final func circle(closedBy entrant: Entrant) -> [AnyBoardID]? {
        let needed = (entrant.asker.map { [$0] } ?? []) + (entrant.purpose?.openRuns ?? [])
        if needed.isEmpty { return nil }
        var path: [AnyBoardID] = []
        var next: AnyGateRun? = self
        while let run = next {
            path.append(run.front.anyID)
            if needed.contains(where: { $0 === run }) { return path + path.prefix(1) }
            next = run.boardEntrant?.run
        }
        return nil
    }
}

/// A run of a front with its contract.
final class GateRun<Front: BoardContract>: AnyGateRun {
    private struct Entry {
        let entrant: Entrant
        let gate: TypedGate<Front>
    }

    let input: Front.Input
    /// The rule that began it.
    private let gate: TypedGate<Front>
    private let record: Record<Front>
    private var entries: [Entry] = []

    init(at record: Record<Front>, asking input: Front.Input, for entrant: Entrant, by gate: TypedGate<Front>) {
        self.input = input
        self.gate = gate
        self.record = record
        super.init(at: record, for: entrant, ownsBoard: Front.Input.self != Void.self)
        add(entrant, by: gate)
    }

    override var isOver: Bool { entries.isEmpty }

    func add(_ entrant: Entrant, by gate: TypedGate<Front>) {
        entries.append(Entry(entrant: entrant, gate: gate))
        entrant.run = self
    }

    override func close() {
        if ownsBoard { gate.forget(self) } else if record.sharedRun === self { record.sharedRun = nil }
    }

    /// Decides on each waiting activation by an output of the front.
    func judge(_ output: Front.Output) {
        var decided: [(entry: Entry, verdict: GateVerdict)] = []
        // All are judged before the first goes on: a board that is entered may wait here for something else.
        for entry in entries where entry.entrant.run === self {
            let verdict = entry.gate.verdict(output)
            if verdict != .undecided { decided.append((entry, verdict)) }
        }
        if decided.isEmpty { return }
        entries = entries.filter { entry in !decided.contains { $0.entry.entrant === entry.entrant } }
        if entries.isEmpty {
            let core = core
            finish()
            // It was asked this question only, and has answered.
            if ownsBoard { core?.end(.done) }
        }
        for (entry, verdict) in decided where entry.entrant.run === self {
            entry.entrant.run = nil
            if verdict == .open {
                entry.entrant.pass(record)
            } else {
                entry.entrant.deny(by: record, .closed)
            }
        }
    }

    override func denyAll(_ reason: Denial.Reason) {
        let denied = entries
        entries = []
        if !denied.isEmpty { finish() }
        for entry in denied where entry.entrant.run === self {
            entry.entrant.run = nil
            entry.entrant.deny(by: record, reason)
        }
    }

    /// Removes an activation that gave up; after the last one, ends the board that was made for the run.
    override func remove(_ entrant: Entrant) {
        guard let position = entries.firstIndex(where: { $0.entrant === entrant }) else { return }
        // Moved out, so that a replaced rule is released after the modification.
        let removed = entries.remove(at: position)
        defer { withExtendedLifetime(removed) {} }
        guard entries.isEmpty else { return }
        let (boardEntrant, core) = (boardEntrant, core)
        finish()
        if let boardEntrant {
            boardEntrant.leave()
        } else if hasMadeBoard {
            core?.complete(.cancelled)
        }
    }
}

/// The runs that a board acts for.
///
/// A board acts for a run if it is to answer it, or if such a board activated it, directly or through others. An activation
/// that acts for a run passes the gates of that run's front, which would otherwise wait for itself.
class Purpose {
    /// Whether this is a run itself, and the board is to answer it.
    final let isRun: Bool

    init(isRun: Bool) {
        self.isRun = isRun
    }

    /// The runs at which an activation still waits.
    var openRuns: [AnyGateRun] { [] }
}

/// The purpose of a board that acts for runs and answers none.
final class Purposes: Purpose {
    private let runs: [AnyGateRun]

    init?(_ runs: [AnyGateRun]) {
        if runs.isEmpty { return nil }
        self.runs = runs
        super.init(isRun: false)
    }

    override var openRuns: [AnyGateRun] { runs.filter { !$0.isOver } }
}

/// A queued denial of the activations that wait for a board that was activated for something else.
final class Supersession: Delivery {
    private let run: AnyGateRun

    init(of run: AnyGateRun) {
        self.run = run
    }

    override func deliver() { run.denyAll(.gateSuperseded) }
}
