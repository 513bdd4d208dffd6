import Backplane

/// Runs: the verdicts on outputs, and the ends of a wait without a verdict.
extension ReferenceModel {
    /// B32: Returns whether a run takes more waiters.
    ///
    /// A run takes waiters until its board has ended, it is superseded or no visit waits in it.
    func takesEntrants(_ run: Int) -> Bool {
        if runs[run].isSuperseded || runs[run].waiters.isEmpty { return false }
        return runs[run].board.map { boards[$0].phase == .live } ?? true
    }

    /// B32: Judges an output, for each waiter by the waiter's own gate.
    func judge(_ output: Int, in run: Int) {
        let waiters = runs[run].waiters
        if waiters.isEmpty { return }
        var judged = waiters.map { ($0, visits[$0].gate?.setting.verdict(on: output) ?? .undecided) }
        if faults.contains(.entrantForgotten), judged.count > 1 { judged[judged.count - 1].1 = .undecided }
        let decided = judged.filter { $0.1 != .undecided }
        runs[run].waiters = judged.filter { $0.1 == .undecided }.map(\.0)
        for (visit, _) in decided { visits[visit].run = nil }
        if !decided.isEmpty, !runs[run].waiters.isEmpty { situations.insert(.someRemainUndecided) }
        // B32: A board that serves this run alone is no longer needed.
        if runs[run].waiters.isEmpty, let board = runs[run].board, boards[board].isRunsOwn {
            if boards[board].phase == .live { situations.insert(.runsOwnBoardDone) }
            end(board, .done)
        }
        for (visit, verdict) in decided where isWaiting(visit) {
            if verdict == .open { open(visit) } else { deny(visit, .closed) }
        }
    }

    private func open(_ visit: Int) {
        guard let gate = visits[visit].gate else { return }
        raise(.gateOpened, visits[visit].name, gate: gate.gateBoard)
        visits[visit].passed.insert(gate.number)
        if visits[visit].standsFor != nil { situations.insert(.gateOpenedForGateBoard) }
        proceed(visit)
        if isWaiting(visit) { situations.insert(.waitsAtSecondGate) }
    }

    /// B32: Supersedes the run of a board that is activated for something else.
    ///
    /// The run takes no more waiters from now on. Its waiters are denied behind everything sent so
    /// far.
    func supersedeRun(of board: Int) {
        guard let run = boards[board].answers, !runs[run].waiters.isEmpty else { return }
        if faults.contains(.supersedingIgnored) { return }
        runs[run].isSuperseded = true
        queue.append(.superseded(run: run))
    }

    // MARK: Denials

    /// B30, B51: Denies the visit.
    ///
    /// Denial flows receive the denial. For the visit of a gate board, the waiters of its run are
    /// denied instead.
    func deny(_ visit: Int, _ reason: Denial.Reason) {
        guard isWaiting(visit), let gate = visits[visit].gate else { return }
        let denial = Denial(of: visits[visit].name.anyID, by: gate.gateBoard.anyID, reason)
        visits[visit].outside = .denied(denial)
        raise(.gateDenied, visits[visit].name, gate: gate.gateBoard)
        if let run = visits[visit].standsFor {
            situations.insert(.gateBoardDenied)
            switch reason {
            // The waiters are in the same circle, or on or inside the motherboard that has ended.
            case .circle, .ownerGone: denyEntrants(of: run, reason)
            default: denyEntrants(of: run, .gateDenied(denial))
            }
        } else if reason != .ownerGone {
            queue.append(.denial(denial, on: visits[visit].motherboard))
        }
        leaveRun(visit)
    }

    func denyEntrants(of run: Int, _ reason: Denial.Reason) {
        let waiters = runs[run].waiters
        runs[run].waiters = []
        for visit in waiters { visits[visit].run = nil }
        for visit in waiters { deny(visit, reason) }
    }

    // MARK: Giving up

    /// B50: Gives up the visit, which leaves its run immediately.
    func giveUp(_ visit: Int) {
        guard isWaiting(visit) else { return }
        visits[visit].outside = .completed
        // The visit of a gate board was completed before it entered.
        if let run = visits[visit].standsFor, !runs[run].waiters.isEmpty {
            situations.insert(.gateBoardGivenUp)
            denyEntrants(of: run, .gateCancelled)
        }
        leaveRun(visit)
    }

    /// B50: Removes the visit from its run.
    ///
    /// After the last visit the run is over, and a board that was made for the run ends.
    private func leaveRun(_ visit: Int) {
        guard let run = visits[visit].run else { return }
        visits[visit].run = nil
        runs[run].waiters.removeAll { $0 == visit }
        situations.insert(runs[run].waiters.isEmpty ? .lastEntrantLeft : .entrantLeft)
        guard runs[run].waiters.isEmpty else { return }
        if let gateBoardVisit = runs[run].gateBoardVisit, isWaiting(gateBoardVisit) {
            situations.insert(.gateBoardLeft)
            giveUp(gateBoardVisit)
        } else if let board = runs[run].board, boards[board].answers == run, boards[board].phase == .live {
            guard runs[run].isBoardMadeForIt else {
                _ = situations.insert(.gateBoardStays)
                return
            }
            end(board, .cancelled)
        }
    }
}
