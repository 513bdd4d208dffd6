import BackplaneConcurrency

/// One question to a gate board, and the activations that wait for the answer, first in, first out.
///
/// It is the ``Purpose`` of the board that is to answer.
// Not generic, like ``Gate`` and ``GateWaiter`` as far as may be: unspecialized code looks up each generic type it mentions,
// every time, which took most of the time of asking a gate.
final class GateRun: Purpose {
    private struct Entry {
        let waiter: GateWaiter
        let gate: Gate
    }

    /// The gate board's entry.
    let gateBoard: AnyBoardEntry
    /// The rule that began it.
    private let gate: Gate
    /// The runs for whose sake this one was begun.
    private let causes: [GateRun]
    /// The purpose of the activation that caused this one, which the board that answers serves too.
    let purpose: Purpose?
    /// A kind of question.
    enum Kind {
        /// A gate board without input: all who wait at it share one answer.
        case shared
        /// A gate board with input, at a board that is asked nothing but this.
        case question
        /// Nothing: a scope is to be entered, and its board being live is the answer.
        case scope
    }

    let kind: Kind
    /// Whether the board is asked nothing but this.
    var ownsBoard: Bool { kind == .question }
    /// The gate board's board while it waits at a gate of its own.
    var boardWaiter: GateWaiter?
    /// Whether the board was made for this run.
    var hasMadeBoard = false
    /// The board that is asked, once it is live.
    var liveBoard: AnyLiveBoard?
    private var entries: [Entry] = []

    init(at gateBoard: AnyBoardEntry, for waiter: GateWaiter, by gate: Gate, kind: Kind) {
        self.gateBoard = gateBoard
        self.gate = gate
        causes = waiter.causes
        purpose = waiter.purpose
        self.kind = kind
        super.init(isRun: true)
        gateBoard.scheduler.add(self)
    }

    override var openRuns: [GateRun] { (isOver ? [] : [self]) + (purpose?.openRuns ?? []) }

    /// Whether nobody waits any more.
    var isOver: Bool { entries.isEmpty }

    func add(_ waiter: GateWaiter, by gate: Gate) {
        entries.append(Entry(waiter: waiter, gate: gate))
        waiter.run = self
    }

    // MARK: Answers

    /// Opens or closes for each who waits, on the gate board's own typed output and on nothing else.
    ///
    /// - Parameter verdict: judges that output by the rule of one who waits.
    func judge(_ verdict: (Gate, GateWaiter) -> GateVerdict) {
        // Mostly there is one.
        if entries.count == 1 {
            let entry = entries[0]
            let verdict = verdict(entry.gate, entry.waiter)
            // The closure may have had it give up.
            if verdict == .undecided || entry.waiter.run !== self { return }
            entries = entries.filter { $0.waiter !== entry.waiter }
            answer()
            return goOn(entry, verdict)
        }
        var decided: [(entry: Entry, verdict: GateVerdict)] = []
        // All are judged before the first goes on: a board that is entered may wait here for something else.
        for entry in entries where entry.waiter.run === self {
            let verdict = verdict(entry.gate, entry.waiter)
            if verdict != .undecided { decided.append((entry, verdict)) }
        }
        if decided.isEmpty { return }
        entries = entries.filter { entry in !decided.contains { $0.entry.waiter === entry.waiter } }
        answer()
        for (entry, verdict) in decided { goOn(entry, verdict) }
    }

    /// Ends the run if nobody waits any more; a board that was asked nothing but this has answered.
    private func answer() {
        guard entries.isEmpty else { return }
        let liveBoard = liveBoard
        finish()
        if ownsBoard { liveBoard?.end(.done) }
    }

    private func goOn(_ entry: Entry, _ verdict: GateVerdict) {
        guard entry.waiter.run === self else { return }
        entry.waiter.run = nil
        if verdict == .open {
            entry.waiter.pass(gateBoard)
        } else {
            entry.waiter.deny(by: gateBoard, .closed)
        }
    }

    /// Lets all activations that wait into the scope, whose board is live now.
    func open(for liveBoard: AnyLiveBoard) {
        let waiting = entries
        entries = []
        let boardWaiter = boardWaiter
        finish()
        // Somebody else has entered the scope: its entrance is not asked any more.
        boardWaiter?.leave()
        for entry in waiting where entry.waiter.run === self {
            entry.waiter.run = nil
            entry.waiter.scope = liveBoard
            entry.waiter.pass(gateBoard)
        }
    }

    // MARK: Ends

    func denyAll(_ reason: Denial.Reason) {
        let denied = entries
        entries = []
        if !denied.isEmpty { finish() }
        for entry in denied where entry.waiter.run === self {
            entry.waiter.run = nil
            entry.waiter.deny(by: gateBoard, reason)
        }
    }

    /// Takes an activation out that gave up; when it was the last one, ends what was begun for it.
    func remove(_ waiter: GateWaiter) {
        guard let position = entries.firstIndex(where: { $0.waiter === waiter }) else { return }
        // Moved out, so that a replaced rule is released after the modification.
        let removed = entries.remove(at: position)
        defer { drop(removed) }
        guard entries.isEmpty else { return }
        let (boardWaiter, liveBoard) = (boardWaiter, liveBoard)
        finish()
        if let boardWaiter {
            boardWaiter.leave()
        } else if hasMadeBoard {
            liveBoard?.complete(.cancelled)
        }
    }

    /// The gate board was activated for something else: what waits is denied behind what has been sent so far.
    ///
    /// Activations that wait for a scope stay, because any output of its entrance may enter it.
    ///
    /// - Returns: whether something stays.
    func supersede() -> Bool {
        let denied = entries.filter { !$0.gate.isEntrance }
        let staysOpen = denied.count < entries.count
        if !staysOpen {
            close()
            liveBoard = nil
        }
        gateBoard.scheduler.enqueue(Supersession(of: self, denied.map(\.waiter)))
        return staysOpen
    }

    fileprivate func denySuperseded(_ waiters: [GateWaiter]) {
        let denied = waiters.filter { $0.run === self }
        if denied.isEmpty { return }
        entries = entries.filter { entry in !denied.contains { $0 === entry.waiter } }
        if isOver { finish() }
        for waiter in denied where waiter.run === self {
            waiter.run = nil
            waiter.deny(by: gateBoard, .gateSuperseded)
        }
    }

    /// The gate board's board was denied by a gate in front of it.
    func wasDenied(_ denial: Denial) {
        switch denial.reason {
        case .circle, .ownerGone: denyAll(denial.reason)
        // What keeps a scope from being entered by itself is said of those who wait for it, as it is.
        default: denyAll(denial.gate == denial.board ? denial.reason : .gateDenied(denial))
        }
    }

    /// Lets no further activation join.
    func close() {
        if ownsBoard { gate.forget(self) } else if gateBoard.sharedRun === self { gateBoard.sharedRun = nil }
    }

    /// Ends the run: nobody waits any more.
    private func finish() {
        close()
        gateBoard.scheduler.forget(self)
        boardWaiter = nil
        liveBoard = nil
    }

    // MARK: Circles

    /// The gate boards along the causes of this run, from `gateBoard` to its own; nil if `gateBoard` is none of them.
    func path(from gateBoard: AnyBoardEntry) -> [AnyBoardID]? {
        if isOver { return nil }
        if self.gateBoard === gateBoard { return [gateBoard.anyID] }
        return causes.lazy.compactMap { $0.path(from: gateBoard) }.first.map { $0 + [self.gateBoard.anyID] }
    }

    /// The circle that `waiter` would close by waiting here; nil if there is none.
    ///
    /// There is one if this run waits, directly or through others, for a run that the waiter stands for or acts for.
    func circle(closedBy waiter: GateWaiter) -> [AnyBoardID]? {
        let needed = (waiter.asker.map { [$0] } ?? []) + (waiter.purpose?.openRuns ?? [])
        if needed.isEmpty { return nil }
        var path: [AnyBoardID] = []
        var next: GateRun? = self
        while let run = next {
            path.append(run.gateBoard.anyID)
            if needed.contains(where: { $0 === run }) { return path + path.prefix(1) }
            next = run.boardWaiter?.run
        }
        return nil
    }
}

/// The runs that a board acts for.
///
/// A board acts for a run if it is to answer it, or if such a board activated it, directly or through others. An activation
/// that acts for a run passes the gates of that run's gate board, which would otherwise wait for itself.
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
    private let waiters: [GateWaiter]

    init(of run: GateRun, _ waiters: [GateWaiter]) {
        self.run = run
        self.waiters = waiters
    }

    override func deliver() { run.denySuperseded(waiters) }
}
