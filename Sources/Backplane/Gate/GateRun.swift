import BackplaneConcurrency

/// One question to a gate board, with the activations that wait for its decision.
///
/// In a decision, ``judge(_:)`` receives an output of the gate board and takes the verdict of each
/// activation's ``AnyGate``. It then calls ``AnyGateWaiter/pass(_:)`` or
/// ``AnyGateWaiter/deny(by:_:)``, in the order in which the activations started to wait.
///
/// A run is the ``Purpose`` of the board that answers it.
// Not generic; gates and waiters are generic only where they must be. Unspecialized code looks up
// each generic type at every use. These lookups took most of the time of asking a gate.
final class GateRun: Purpose {
    private struct Entry {
        let waiter: AnyGateWaiter
        let gate: AnyGate
    }

    /// The gate board's entry.
    let gateBoard: AnyBoardEntry
    /// The rule that began the run.
    private let gate: AnyGate
    /// The runs that caused this one: see ``AnyGateWaiter/causes``.
    private let causes: [GateRun]
    /// The purpose of the activation that began the run; the board that answers acts for it too.
    let purpose: Purpose?
    /// The kind of a question.
    enum Kind {
        /// A gate board without input: all activations that wait at it share one decision.
        case shared
        /// A gate board with input: a board is made for this question alone.
        case question
        /// No question: a scope is being entered, and the run ends when the scope's board is live.
        case scope
    }

    let kind: Kind
    /// Whether a board is made for this question alone.
    var ownsBoard: Bool { kind == .question }
    /// The activation of the gate board while it waits at the gates in front of it.
    var boardWaiter: AnyGateWaiter?
    /// Whether a board was made for this run.
    var hasMadeBoard = false
    /// The live board that is asked, once it exists.
    var liveBoard: AnyLiveBoard?
    private var entries: [Entry] = []

    init(at gateBoard: AnyBoardEntry, for waiter: AnyGateWaiter, by gate: AnyGate, kind: Kind) {
        self.gateBoard = gateBoard
        self.gate = gate
        causes = waiter.causes
        purpose = waiter.purpose
        self.kind = kind
        super.init(isRun: true)
        gateBoard.scheduler.add(self)
    }

    override var openRuns: [GateRun] { (isOver ? [] : [self]) + (purpose?.openRuns ?? []) }

    /// Whether no activation waits any longer.
    var isOver: Bool { entries.isEmpty }

    func add(_ waiter: AnyGateWaiter, by gate: AnyGate) {
        entries.append(Entry(waiter: waiter, gate: gate))
        waiter.run = self
    }

    // MARK: Decisions

    /// Judges an output of the gate board, then passes or denies each activation.
    ///
    /// `BoardEntry.judge(_:_:)` calls this for each output that answers the run. Nothing else opens
    /// a gate.
    ///
    /// - Parameter verdict: returns the verdict on the output for one activation by its rule.
    func judge(_ verdict: (AnyGate, AnyGateWaiter) -> GateVerdict) {
        // Usually one activation waits.
        if entries.count == 1 {
            let entry = entries[0]
            let verdict = verdict(entry.gate, entry.waiter)
            // The closure may have made the activation give up.
            if verdict == .undecided || entry.waiter.run !== self { return }
            entries = entries.filter { $0.waiter !== entry.waiter }
            endIfDecided()
            return passOrDeny(entry, verdict)
        }
        var decided: [(entry: Entry, verdict: GateVerdict)] = []
        // All are judged before the first continues: its board may start to wait here again.
        for entry in entries where entry.waiter.run === self {
            let verdict = verdict(entry.gate, entry.waiter)
            if verdict != .undecided { decided.append((entry, verdict)) }
        }
        if decided.isEmpty { return }
        entries = entries.filter { entry in !decided.contains { $0.entry.waiter === entry.waiter } }
        endIfDecided()
        for (entry, verdict) in decided { passOrDeny(entry, verdict) }
    }

    /// Ends the run if no activation waits any longer.
    ///
    /// A board that was made for this question then ends as ``Completion/done``.
    private func endIfDecided() {
        guard entries.isEmpty else { return }
        let liveBoard = liveBoard
        finish()
        if ownsBoard { liveBoard?.end(.done) }
    }

    private func passOrDeny(_ entry: Entry, _ verdict: GateVerdict) {
        guard entry.waiter.run === self else { return }
        entry.waiter.run = nil
        if verdict == .open {
            entry.waiter.pass(gateBoard)
        } else {
            entry.waiter.deny(by: gateBoard, .closed)
        }
    }

    /// Lets all waiting activations into the scope, whose board is live now.
    func open(for liveBoard: AnyLiveBoard) {
        let waiting = entries
        entries = []
        let boardWaiter = boardWaiter
        finish()
        // The scope was entered in another way, so the activation at its entrance gives up.
        boardWaiter?.leave()
        for entry in waiting where entry.waiter.run === self {
            entry.waiter.run = nil
            entry.waiter.scope = liveBoard
            entry.waiter.pass(gateBoard)
        }
    }

    // MARK: End

    func denyAll(_ reason: Denial.Reason) {
        let denied = entries
        entries = []
        if !denied.isEmpty { finish() }
        for entry in denied where entry.waiter.run === self {
            entry.waiter.run = nil
            entry.waiter.deny(by: gateBoard, reason)
        }
    }

    /// Removes an activation that gave up.
    ///
    /// If it was the last one, the run ends. The activation of the gate board then gives up too, or
    /// a board made for this run is cancelled.
    func remove(_ waiter: AnyGateWaiter) {
        guard let position = entries.firstIndex(where: { $0.waiter === waiter }) else { return }
        // Released at the end of the function, because releasing a replaced rule may call back. The
        // modification of the array must be over by then.
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

    /// Denies the waiting activations, because the gate board was activated for another purpose.
    ///
    /// The denials are queued behind the outputs that the board has already sent. Activations that
    /// wait for a scope stay, because any output of its entrance may enter it.
    ///
    /// - Returns: whether some activations stay.
    func supersede() -> Bool {
        let denied = entries.filter { !$0.gate.isEntrance }
        let staysOpen = denied.count < entries.count
        if !staysOpen {
            refuseJoins()
            liveBoard = nil
        }
        gateBoard.scheduler.enqueue(Supersession(of: self, denied.map(\.waiter)))
        return staysOpen
    }

    fileprivate func denySuperseded(_ waiters: [AnyGateWaiter]) {
        let denied = waiters.filter { $0.run === self }
        if denied.isEmpty { return }
        entries = entries.filter { entry in !denied.contains { $0 === entry.waiter } }
        if isOver { finish() }
        for waiter in denied where waiter.run === self {
            waiter.run = nil
            waiter.deny(by: gateBoard, .gateSuperseded)
        }
    }

    /// Denies all waiting activations, because a gate denied the gate board.
    func wasDenied(_ denial: Denial) {
        switch denial.reason {
        case .circle, .ownerGone: denyAll(denial.reason)
        // If board and gate are equal, no gate denied the gate board: it is a scope that cannot be
        // entered (see `AnyGateWaiter.canBeEntered`). The waiting activations receive its reason.
        default: denyAll(denial.gate == denial.board ? denial.reason : .gateDenied(denial))
        }
    }

    /// Prevents further activations from joining.
    func refuseJoins() {
        if ownsBoard { gate.forget(self) } else if gateBoard.sharedRun === self { gateBoard.sharedRun = nil }
    }

    /// Ends the run once no activation waits any longer.
    private func finish() {
        refuseJoins()
        gateBoard.scheduler.forget(self)
        boardWaiter = nil
        liveBoard = nil
    }

    // MARK: Circles

    /// Returns the gate boards along the causes of this run, from `gateBoard` to its own.
    ///
    /// Returns `nil` if `gateBoard` is not among them or if the run is over.
    func path(from gateBoard: AnyBoardEntry) -> [AnyBoardID]? {
        if isOver { return nil }
        if self.gateBoard === gateBoard { return [gateBoard.anyID] }
        return causes.lazy.compactMap { $0.path(from: gateBoard) }.first.map { $0 + [self.gateBoard.anyID] }
    }

    /// Returns the circle that `waiter` would close by waiting here, or `nil` if there is none.
    ///
    /// There is a circle if this run waits for the waiter's ``AnyGateWaiter/asker`` or for a run
    /// that the waiter acts for. This run may wait for it directly or through other runs.
    func circle(closedBy waiter: AnyGateWaiter) -> [AnyBoardID]? {
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

/// A queued denial of activations whose gate board was activated for another purpose.
final class Supersession: Delivery {
    private let run: GateRun
    private let waiters: [AnyGateWaiter]

    init(of run: GateRun, _ waiters: [AnyGateWaiter]) {
        self.run = run
        self.waiters = waiters
    }

    override func deliver() { run.denySuperseded(waiters) }
}
