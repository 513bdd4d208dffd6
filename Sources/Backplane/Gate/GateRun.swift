import BackplaneConcurrency

/// One question to a front, and the activations that wait for the answer, first in, first out.
///
/// It is the ``Purpose`` of the board that is to answer.
// Not generic, like ``Gate`` and ``Entrant`` as far as may be: unspecialized code looks up each generic type it mentions,
// every time, which took most of the time of asking a gate.
final class GateRun: Purpose {
    private struct Entry {
        let entrant: Entrant
        let gate: Gate
    }

    /// The front's record.
    let front: AnyRecord
    /// The rule that began it.
    private let gate: Gate
    /// The runs for whose sake this one was begun.
    private let causes: [GateRun]
    /// The purpose of the activation that caused this one, which the board that answers serves too.
    let purpose: Purpose?
    /// A kind of question.
    enum Kind {
        /// A front without input: all who wait at it share one answer.
        case shared
        /// A front with input, at a board that is asked nothing but this.
        case question
        /// Nothing: a scope is to be entered, and its board being live is the answer.
        case scope
    }

    let kind: Kind
    /// Whether the board is asked nothing but this.
    var ownsBoard: Bool { kind == .question }
    /// The front's board while it waits at a gate of its own.
    var boardEntrant: Entrant?
    /// Whether the board was made for this run.
    var hasMadeBoard = false
    /// The board that is asked, once it is live.
    var core: AnySlotCore?
    private var entries: [Entry] = []

    init(at front: AnyRecord, for entrant: Entrant, by gate: Gate, kind: Kind) {
        self.front = front
        self.gate = gate
        causes = entrant.causes
        purpose = entrant.purpose
        self.kind = kind
        super.init(isRun: true)
        front.turns.add(self)
    }

    override var openRuns: [GateRun] { (isOver ? [] : [self]) + (purpose?.openRuns ?? []) }

    /// Whether nobody waits any more.
    var isOver: Bool { entries.isEmpty }

    func add(_ entrant: Entrant, by gate: Gate) {
        entries.append(Entry(entrant: entrant, gate: gate))
        entrant.run = self
    }

    // MARK: Answers

    /// Opens or closes for each who waits, on the front's own typed output and on nothing else.
    ///
    /// - Parameter verdict: judges that output by the rule of one who waits.
    func judge(_ verdict: (Gate, Entrant) -> GateVerdict) {
        // Mostly there is one.
        if entries.count == 1 {
            let entry = entries[0]
            let verdict = verdict(entry.gate, entry.entrant)
            // The closure may have had it give up.
            if verdict == .undecided || entry.entrant.run !== self { return }
            entries = entries.filter { $0.entrant !== entry.entrant }
            answer()
            return goOn(entry, verdict)
        }
        var decided: [(entry: Entry, verdict: GateVerdict)] = []
        // All are judged before the first goes on: a board that is entered may wait here for something else.
        for entry in entries where entry.entrant.run === self {
            let verdict = verdict(entry.gate, entry.entrant)
            if verdict != .undecided { decided.append((entry, verdict)) }
        }
        if decided.isEmpty { return }
        entries = entries.filter { entry in !decided.contains { $0.entry.entrant === entry.entrant } }
        answer()
        for (entry, verdict) in decided { goOn(entry, verdict) }
    }

    /// Ends the run if nobody waits any more; a board that was asked nothing but this has answered.
    private func answer() {
        guard entries.isEmpty else { return }
        let core = core
        finish()
        if ownsBoard { core?.end(.done) }
    }

    private func goOn(_ entry: Entry, _ verdict: GateVerdict) {
        guard entry.entrant.run === self else { return }
        entry.entrant.run = nil
        if verdict == .open {
            entry.entrant.pass(front)
        } else {
            entry.entrant.deny(by: front, .closed)
        }
    }

    /// Lets all activations that wait into the scope, whose board is live now.
    func open(for core: AnySlotCore) {
        let waiting = entries
        entries = []
        let boardEntrant = boardEntrant
        finish()
        // Somebody else has entered the scope: its entrance is not asked any more.
        boardEntrant?.leave()
        for entry in waiting where entry.entrant.run === self {
            entry.entrant.run = nil
            entry.entrant.scope = core
            entry.entrant.pass(front)
        }
    }

    // MARK: Ends

    func denyAll(_ reason: Denial.Reason) {
        let denied = entries
        entries = []
        if !denied.isEmpty { finish() }
        for entry in denied where entry.entrant.run === self {
            entry.entrant.run = nil
            entry.entrant.deny(by: front, reason)
        }
    }

    /// Takes an activation out that gave up; when it was the last one, ends what was begun for it.
    func remove(_ entrant: Entrant) {
        guard let position = entries.firstIndex(where: { $0.entrant === entrant }) else { return }
        // Moved out, so that a replaced rule is released after the modification.
        let removed = entries.remove(at: position)
        defer { letGo(of: removed) }
        guard entries.isEmpty else { return }
        let (boardEntrant, core) = (boardEntrant, core)
        finish()
        if let boardEntrant {
            boardEntrant.leave()
        } else if hasMadeBoard {
            core?.complete(.cancelled)
        }
    }

    /// The front was activated for something else: what waits is denied behind what has been sent so far.
    ///
    /// Activations that wait for a scope stay, because any output of its entrance may enter it.
    ///
    /// - Returns: whether something stays.
    func supersede() -> Bool {
        let denied = entries.filter { !$0.gate.isEntrance }
        let staysOpen = denied.count < entries.count
        if !staysOpen {
            close()
            core = nil
        }
        front.turns.enqueue(Supersession(of: self, denied.map(\.entrant)))
        return staysOpen
    }

    fileprivate func denySuperseded(_ entrants: [Entrant]) {
        let denied = entrants.filter { $0.run === self }
        if denied.isEmpty { return }
        entries = entries.filter { entry in !denied.contains { $0 === entry.entrant } }
        if isOver { finish() }
        for entrant in denied where entrant.run === self {
            entrant.run = nil
            entrant.deny(by: front, .gateSuperseded)
        }
    }

    /// The front's board was denied by a gate in front of it.
    func wasDenied(_ denial: Denial) {
        switch denial.reason {
        case .circle, .ownerGone: denyAll(denial.reason)
        // What keeps a scope from being entered by itself is said of those who wait for it, as it is.
        default: denyAll(denial.gate == denial.board ? denial.reason : .gateDenied(denial))
        }
    }

    /// Lets no further activation join.
    func close() {
        if ownsBoard { gate.forget(self) } else if front.sharedRun === self { front.sharedRun = nil }
    }

    /// Ends the run: nobody waits any more.
    private func finish() {
        close()
        front.turns.forget(self)
        boardEntrant = nil
        core = nil
    }

    // MARK: Circles

    /// The fronts along the causes of this run, from `front` to its own; nil if `front` is none of them.
    func path(from front: AnyRecord) -> [AnyBoardID]? {
        if isOver { return nil }
        if self.front === front { return [front.anyID] }
        return causes.lazy.compactMap { $0.path(from: front) }.first.map { $0 + [self.front.anyID] }
    }

    /// The circle that `entrant` would close by waiting here; nil if there is none.
    ///
    /// There is one if this run waits, directly or through others, for a run that the entrant stands for or acts for.
    func circle(closedBy entrant: Entrant) -> [AnyBoardID]? {
        let needed = (entrant.asker.map { [$0] } ?? []) + (entrant.purpose?.openRuns ?? [])
        if needed.isEmpty { return nil }
        var path: [AnyBoardID] = []
        var next: GateRun? = self
        while let run = next {
            path.append(run.front.anyID)
            if needed.contains(where: { $0 === run }) { return path + path.prefix(1) }
            next = run.boardEntrant?.run
        }
        return nil
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

    /// The runs acted for at which something still waits.
    var openRuns: [GateRun] { [] }
}

/// The purpose of a board that acts for runs and answers none.
final class Purposes: Purpose {
    private let runs: [GateRun]

    init?(_ runs: [GateRun]) {
        if runs.isEmpty { return nil }
        self.runs = runs
        super.init(isRun: false)
    }

    override var openRuns: [GateRun] { runs.filter { !$0.isOver } }
}

/// A queued denial of the activations that wait for a board that was activated for something else.
final class Supersession: Delivery {
    private let run: GateRun
    private let entrants: [Entrant]

    init(of run: GateRun, _ entrants: [Entrant]) {
        self.run = run
        self.entrants = entrants
    }

    override func deliver() { run.denySuperseded(entrants) }
}
