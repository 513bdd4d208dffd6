/// The effects of ``GateStateMachine`` on waiting activations and gate boards.
extension TurnScheduler {
    // MARK: Decisions

    /// Judges an output of a gate board, then passes or denies each waiting activation.
    ///
    /// Nothing else opens a gate. A board that was made for this question alone ends as
    /// ``Completion/done`` once all activations are decided.
    ///
    /// - Parameters:
    ///   - number: the run that the output answers.
    ///   - verdict: returns the verdict on the output for one activation by its rule.
    func judge(_ number: UInt64, _ verdict: (AnyGateWaiter) -> GateVerdict) {
        if let waiter = gates.onlyWaiter(in: number) {
            let verdict = verdict(waiter)
            // The closure may have made the activation give up, or others may have joined.
            if verdict == .undecided || waiter.run != number { return }
            if gates.hasOnlyWaiter(in: number), gates.kind(of: number) == .shared {
                _ = gates.end(number)
            } else {
                end(gates.decide(number, for: [waiter]), waiter)
            }
            return pass(waiter, verdict)
        }
        guard let waiters = gates[number]?.waiters else { return }
        var decided: [AnyGateWaiter] = []
        var verdicts: [GateVerdict] = []
        // All are judged before the first continues: its board may start to wait here again.
        for waiter in waiters where waiter.run == number {
            let verdict = verdict(waiter)
            // The closure may have made the activation give up.
            guard verdict != .undecided, waiter.run == number else { continue }
            decided.append(waiter)
            verdicts.append(verdict)
        }
        if decided.isEmpty { return }
        end(gates.decide(number, for: decided), decided[0])
        for (waiter, verdict) in zip(decided, verdicts) where waiter.run == number { pass(waiter, verdict) }
    }

    /// Ends the board of a run that is over, if the board was made for the question alone.
    private func end(_ run: GateStateMachine<AnyGateWaiter, AnyLiveBoard>.Run?, _ waiter: AnyGateWaiter) {
        guard let run, run.question.kind == .own else { return }
        waiter.gate?.forgetClosed()
        run.board?.end(.done)
    }

    private func pass(_ waiter: AnyGateWaiter, _ verdict: GateVerdict) {
        if waiter.run == 0 { return }
        waiter.run = 0
        if verdict == .open { waiter.pass() } else { waiter.deny(.closed) }
    }

    /// Lets in all activations that wait for the scope whose board is `liveBoard`.
    func letInto(_ liveBoard: AnyLiveBoard) {
        for run in gates.runs where run.question.kind == .scope && liveBoard.isLive {
            guard run.first.gate?.gateBoard.liveScope === liveBoard, let run = gates.end(run.number) else {
                continue
            }
            // The scope was entered in another way, so the activation at its entrance gives up.
            run.boardWaiter?.withdraw()
            for waiter in run.waiters where waiter.run == run.number {
                waiter.run = 0
                waiter.scope = liveBoard
                waiter.pass()
            }
        }
    }

    /// Returns the run that enters the scope whose board `entry` makes; `nil` if there is none.
    ///
    /// The run may have started on an ancestor and moved here.
    func run(entering entry: AnyBoardEntry) -> UInt64? {
        gates.runs.first { run in
            guard run.question.kind == .scope else { return false }
            return run.question.gateBoard == ObjectIdentifier(entry) || run.boardWaiter?.entry === entry
        }?.number
    }

    // MARK: Other ends

    /// Denies all activations that wait in a run.
    func deny(_ number: UInt64, _ reason: Denial.Reason) {
        guard let run = gates.end(number) else { return }
        run.first.gate?.forgetClosed()
        deny(run.waiters, in: number, reason)
    }

    /// Denies all activations that wait in a run, because its gate board was denied.
    func deny(_ number: UInt64, because denial: Denial) {
        switch denial.reason {
        case .cycle, .ownerGone: deny(number, denial.reason)
        default: deny(number, .gateDenied(denial))
        }
    }

    private func deny(_ waiters: [AnyGateWaiter], in run: UInt64, _ reason: Denial.Reason) {
        for waiter in waiters where waiter.run == run {
            waiter.run = 0
            waiter.deny(reason)
        }
    }

    /// Denies all waiting activations when the tree is released.
    func denyAll() {
        for run in gates.runs { deny(run.number, .ownerGone) }
    }

    /// Removes an activation that gave up.
    ///
    /// If it was the last one, the activation of the gate board gives up too, or a board that was
    /// made for the question is cancelled.
    func leave(_ number: UInt64, _ waiter: AnyGateWaiter) {
        if number == 0 { return }
        let effect = gates.leave(number, waiter)
        waiter.gate?.forgetClosed()
        switch effect {
        case .giveUp(let boardWaiter)?: boardWaiter.withdraw()
        case .cancel(let board)?: board.complete(.cancelled)
        case nil: break
        }
    }

    /// Denies the activations that wait in a run, because the gate board was activated for another
    /// purpose.
    ///
    /// The denials are queued behind the outputs that the board has already sent.
    ///
    /// - Returns: whether some activations stay.
    func supersede(_ number: UInt64, by purpose: Purpose?) -> Bool {
        let (denied, staysOpen) = gates.supersede(number, by: purpose)
        if denied.isEmpty { return staysOpen }
        enqueue(
            QueuedCall {
                let denied = denied.filter { $0.run == number }
                if self.gates.decide(number, for: denied) != nil { denied[0].gate?.forgetClosed() }
                self.deny(denied, in: number, .gateSuperseded)
            }
        )
        return staysOpen
    }
}
