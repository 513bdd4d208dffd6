@testable import Backplane

/// Runs: open questions, their answers and their ends.
extension ReferenceModel {
    // MARK: Asking

    /// B32: Joins the run that asks the same question, or starts a run.
    func ask(_ question: Question, at gate: Gate, for visit: Int) {
        visits[visit].gate = gate
        raise(.waiting, visits[visit].name, gate: gate.gateBoard)
        if let run = runs.indices.first(where: { canBeJoined($0) && runs[$0].question == question }) {
            if let cycle = cycle(of: visit, waitingIn: run) { return deny(visit, cycle: cycle) }
            runs[run].waiters.append(visit)
            visits[visit].run = run
        } else if let run = ownRun(of: question, for: visit) {
            deny(visit, cycle: cycle(of: visit, waitingIn: run) ?? [run, run])
        } else {
            start(question, for: visit)
        }
    }

    /// B56: Returns the open run of the question whose work the visit is, although the visit does
    /// not skip it.
    ///
    /// The entrance of a scope, and the gates in front of a scope that is entered for waiting
    /// activations, are never skipped.
    private func ownRun(of question: Question, for visit: Int) -> Int? {
        if visits[visit].gate?.entrance == nil, !visits[visit].hasEntrance { return nil }
        return causes(of: visit).first { isOpen($0) && !runs[$0].isSuperseded && runs[$0].question == question }
    }

    private func deny(_ visit: Int, cycle: [Int]) {
        deny(visit, .cycle(cycle.map { runs[$0].question.gateBoard.anyID }))
    }

    /// B32: Returns whether an answer to the run can still be given.
    ///
    /// An activation that asks after the end of the gate board, or after another activation of it,
    /// is not let in by an answer that was sent before.
    private func canBeJoined(_ run: Int) -> Bool {
        canBeAnswered(run) || faults.contains(.endedRunJoined) && isOpen(run) && !runs[run].isSuperseded
    }

    func canBeAnswered(_ run: Int) -> Bool {
        isOpen(run) && !runs[run].isSuperseded && runs[run].board.map { boards[$0].phase == .live } ?? true
    }

    /// B48, B49: Starts a run and activates its gate board on the motherboard of the rule.
    ///
    /// The run exists before its gate board is activated.
    private func start(_ question: Question, for visit: Int) {
        let (run, front) = (runs.count, visits.count)
        runs.append(Run(question: question, firstWaiter: visit, waiters: [visit], gateBoardVisit: front))
        visits[visit].run = run
        visits.append(
            Visit(
                name: question.gateBoard,
                motherboard: question.home,
                input: question.input,
                // The gates in front of the gate board ask what they would ask the first waiter.
                actsFor: visits[visit].actsFor,
                standsFor: run
            )
        )
        if isUnknown(question.gateBoard, on: question.home) {
            visits[front].outside = .noSuchBoard
            reportMissing(question.gateBoard, on: question.home, actingFor: visits[visit].actsFor)
            denyEntrants(of: run, .noSuchGate)
        } else {
            proceed(front)
        }
    }

    // MARK: Answers

    /// B30, B32: Gives each waiter the verdict of its own gate.
    ///
    /// Notes which uses of the output enter scopes for waiting activations (B56).
    func judge(_ output: Int, in run: Int, uses: [Name: Int]) {
        var waiters = runs[run].waiters
        if waiters.isEmpty { return }
        if faults.contains(.entrantForgotten), waiters.count > 1 { waiters.removeLast() }
        let verdicts = waiters.map { verdict(on: output, for: $0) }
        let decided = zip(waiters, verdicts).filter { $1 != .undecided }
        for (visit, _) in decided {
            visits[visit].run = nil
            if visits[visit].gate?.entrance != nil, let use = uses[visits[visit].name] {
                self.uses[use].isUsed = true
                visits[visit].use = use
                lastUses[self.uses[use].home, default: [:]][visits[visit].name] = use
            }
        }
        runs[run].waiters.removeAll { visits[$0].run != run }
        // B32: A gate board that serves this question alone is done when all waiters are decided.
        if !isOpen(run), let board = runs[run].board, boards[board].isRunsOwn, !faults.contains(.runsOwnBoardStays) {
            end(board, .done)
        }
        for (visit, verdict) in decided where isWaiting(visit) {
            if verdict == .closed, !faults.contains(.deniedEnters) {
                deny(visit, .closed)
            } else if let gate = visits[visit].gate {
                if let input = gate.entrance?.input(for: output) {
                    visits[visit].input = input
                    visits[visit].hasEntrance = true
                }
                raise(.gateOpened, visits[visit].name, gate: gate.gateBoard)
                pass(gate, visit)
                proceed(visit)
            }
        }
    }

    private func verdict(on output: Int, for visit: Int) -> GateVerdict {
        guard let gate = visits[visit].gate else { return .undecided }
        guard let entrance = gate.entrance else { return gate.setting.verdict(on: output) }
        // B56: An output without an input for the scope lets the activations wait.
        return entrance.input(for: output) == nil ? .undecided : .open
    }

    /// B32: The waiters are denied behind everything sent before the other activation.
    func supersedeRun(of board: Int) {
        guard let run = boards[board].answers, isOpen(run), !runs[run].isSuperseded else { return }
        if faults.contains(.supersedingIgnored) { return }
        let isForScope = isAskedForScope(run)
        if isForScope { runs[run].isBoardOfUser = true } else { runs[run].isSuperseded = true }
        let denied = runs[run].waiters.filter { visits[$0].gate?.entrance == nil }
        if !denied.isEmpty { queue.append(.superseded(run: run, waiters: denied)) }
    }

    /// B82: Returns whether an activation of a shared gate board is a detour of the question that
    /// the board answers, and not "somebody else" (B32).
    func isDetour(_ visit: Int, at board: Int) -> Bool {
        guard visits[visit].standsFor == nil, let run = boards[board].answers else { return false }
        if faults.contains(.detourSupersedes) { return false }
        return isOpen(run) && !runs[run].isSuperseded && causes(of: visit).contains(run)
    }

    func isAskedForScope(_ run: Int) -> Bool { runs[run].waiters.contains { visits[$0].gate?.entrance != nil } }

    /// B73: Activations that wait for a scope go on waiting at an entrance that somebody else has
    /// activated.
    func denySuperseded(_ waiters: [Int], in run: Int) {
        let waiters = waiters.filter { visits[$0].run == run }
        runs[run].waiters.removeAll { waiters.contains($0) }
        for visit in waiters { visits[visit].run = nil }
        for visit in waiters { deny(visit, .gateSuperseded) }
    }

    // MARK: Denials

    func denyEntrants(of run: Int, _ reason: Denial.Reason) {
        let waiters = runs[run].waiters
        runs[run].waiters = []
        for visit in waiters { visits[visit].run = nil }
        for visit in waiters { deny(visit, reason) }
    }

    /// B30: Denies a visit that waits, and the waiters of the run whose gate board it would
    /// activate.
    func deny(_ visit: Int, _ reason: Denial.Reason) {
        guard isWaiting(visit), let gate = visits[visit].gate else { return }
        let (name, motherboard) = (visits[visit].name, source(of: visit))
        let denial = Denial(of: name.anyID, by: gate.gateBoard.anyID, reason)
        visits[visit].outside = .denied(denial)
        raise(.gateDenied, name, gate: gate.gateBoard)
        if let run = visits[visit].standsFor {
            switch reason {
            // The waiters learn of the cycle itself, and that the motherboard has ended.
            case .cycle, .ownerGone: denyEntrants(of: run, reason)
            default: denyEntrants(of: run, .gateDenied(denial))
            }
        } else if reason != .ownerGone {
            // B51: Denial flows receive neither denials of gate boards nor those of a motherboard's
            // end.
            queue.append(.denial(denial, on: motherboard))
        }
        leave(visit)
    }

    // MARK: Giving up

    /// B50: Leaves the run at once.
    ///
    /// The waiters of a gate board that is given up are denied as if it was cancelled.
    func giveUp(_ visit: Int) {
        guard isWaiting(visit) else { return }
        visits[visit].outside = .completed
        if let run = visits[visit].standsFor { denyEntrants(of: run, .gateCancelled) }
        leave(visit)
    }

    /// B50: Gives up a visit that nobody needs any longer.
    ///
    /// B56: The input that it has from an entrance is discarded.
    func withdraw(_ visit: Int) {
        guard isWaiting(visit) else { return }
        if let use = visits[visit].use { drop(use, for: visits[visit].name) }
        giveUp(visit)
    }

    /// B50: After the last waiter, a gate board that is waited for gives up, and a gate board that
    /// was made for the question is cancelled.
    func leave(_ visit: Int) {
        guard let run = visits[visit].run else { return }
        visits[visit].run = nil
        runs[run].waiters.removeAll { $0 == visit }
        // A scope stays that has been entered for the wait.
        if runs[run].question.isForScope, runs[run].board != nil { return }
        // A board that somebody else has activated meanwhile is theirs.
        if isOpen(run) || runs[run].isSuperseded { return }
        if runs[run].isBoardOfUser, !faults.contains(.entranceOfUserCloses) { return }
        guard let board = runs[run].board else { return withdraw(runs[run].gateBoardVisit) }
        if runs[run].isBoardMadeForIt, boards[board].answers == run, !faults.contains(.givingUpKeepsBoard) {
            end(board, .cancelled)
        }
    }
}
