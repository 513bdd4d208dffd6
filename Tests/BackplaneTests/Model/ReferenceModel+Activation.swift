import Backplane

/// Activation, gates and the end of boards.
extension ReferenceModel {
    // MARK: What a handle says

    func state(of visit: Visit) -> ActivationState {
        guard let (board, activation) = visit.inside else { return visit.outside }
        if boards[board].activation != activation { return .superseded }
        switch boards[board].phase {
        case .live: return .active
        case .ended: return .completed
        case .ownerGone: return .ownerGone
        }
    }

    func ending(of visit: Visit) -> Ending? {
        guard let (board, activation) = visit.inside else { return visit.outside == .completed ? .cancelled : nil }
        if boards[board].activation == activation, case .ended(let ending) = boards[board].phase { return ending }
        return nil
    }

    func liveBoard(of visit: Visit) -> Int? {
        state(of: visit) == .active ? visit.inside?.board : nil
    }

    // MARK: Activation

    func activate(_ name: Name, with input: Int, on motherboard: Int) {
        let isOutermost = openTurn()
        let visit = visitBoard(name, with: name.input(input), on: motherboard)
        closeTurn(isOutermost)
        handles.append(visit)
        noteState(of: handles.count - 1)
    }

    @discardableResult
    func visitBoard(_ name: Name, with input: Int, on motherboard: Int) -> Int {
        let visit = visits.count
        visits.append(Visit(name: name, motherboard: motherboard, input: input))
        if motherboards[motherboard].isCompleted {
            visits[visit].outside = .ownerGone
        } else if plan(of: name, on: motherboard) == nil {
            reportMissing(name, on: motherboard)
            visits[visit].outside = .noSuchBoard
        } else if let gate = gate(of: name, on: motherboard) {
            wait(visit, at: gate)
        } else {
            visits[visit].inside = enter(name, with: input, on: motherboard)
        }
        return visit
    }

    /// Makes the board or takes the shared one that is live; nil where it is not registered.
    private func enter(_ name: Name, with input: Int, on motherboard: Int) -> (board: Int, activation: Int)? {
        guard let plan = plan(of: name, on: motherboard) else { return nil }
        activations += 1
        let activation = activations
        let shared = live(name, on: motherboard).first { script.plans[boards[$0].plan].reuse == .shared }
        let board = shared ?? boards.count
        if shared == nil {
            boards.append(MadeBoard(name: name, motherboard: motherboard, plan: plan, activation: activation))
            note(.made(board: board, name, plan: plan, input: script.plans[plan].reuse == .perInput ? input : nil))
            for step in script.plans[plan].whileMade { perform(step, as: board) }
            // A board that ends while it is made is not activated.
            if boards[board].phase != .live { return (board, activation) }
        }
        boards[board].activation = activation
        note(.activated(board: board, input))
        let reactions = script.plans[boards[board].plan].whenActivated
        for step in reactions.around(input) ?? [] { perform(step, as: board) }
        return (board, activation)
    }

    /// B10: one event, and the nearest fallback.
    private func reportMissing(_ name: Name, on motherboard: Int) {
        raise(.noSuchBoard, name)
        guard let (number, routine) = nearest(to: motherboard, { $0.fallback }) else { return }
        note(.missed(name, fallback: number, on: motherboard))
        perform(routine: routine, on: motherboard)
    }

    // MARK: Gates

    /// B30, B32: joins those who wait for the same answer, or has the gate's board activated to ask it.
    private func wait(_ visit: Int, at gate: Gate) {
        visits[visit].gate = gate
        let motherboard = visits[visit].motherboard
        let joined = live(gate.by, on: motherboard).first { board in
            guard let run = boards[board].run, !run.waiting.isEmpty else { return false }
            return run.rule == gate.number || gate.by == .void
        }
        if let joined {
            boards[joined].run?.waiting.append(visit)
            return
        }
        // B31: gates are never gated.
        guard let (board, _) = enter(gate.by, with: gate.by.input(gate.input), on: motherboard) else {
            reportMissing(gate.by, on: motherboard)
            deny(visit, by: gate.by, .noSuchGate)
            return
        }
        denyAll(at: board, .gateSuperseded)
        boards[board].run = (gate.number, [visit])
    }

    /// B30: the gate's own output decides, after the flows, and for each who waits by the rule that made it wait.
    func judge(_ output: Int, of board: Int) {
        guard let run = boards[board].run else { return }
        let judged = run.waiting.map { ($0, visits[$0].gate?.verdicts.around(output)) }
        boards[board].run?.waiting = judged.filter { $0.1 == .undecided }.map(\.0)
        for (visit, verdict) in judged {
            switch verdict {
            case .open: enter(visit)
            case .closed: deny(visit, by: boards[board].name, .closed)
            default: break
            }
        }
    }

    private func enter(_ visit: Int) {
        let (name, motherboard) = (visits[visit].name, visits[visit].motherboard)
        guard visits[visit].outside == .waiting else { return }
        if motherboards[motherboard].isCompleted {
            visits[visit].outside = .ownerGone
            return
        }
        raise(.gateOpened, name)
        visits[visit].inside = enter(name, with: visits[visit].input, on: motherboard)
        // Given up in the meantime.
        if visits[visit].outside == .completed { complete(visit: visit, .cancelled) }
    }

    private func deny(_ visit: Int, by gate: Name, _ reason: Denial.Reason) {
        guard visits[visit].outside == .waiting else { return }
        visits[visit].outside = .denied(Denial(gate: gate.anyID, reason: reason))
        raise(.gateDenied, visits[visit].name)
    }

    func denyAll(at board: Int, _ reason: Denial.Reason) {
        let waiting = boards[board].run?.waiting ?? []
        boards[board].run = nil
        for visit in waiting { deny(visit, by: boards[board].name, reason) }
    }

    // MARK: Lifetimes

    func tie(_ lifetime: Int, to board: Int, isComponent: Bool) {
        if boards[board].phase != .live || isOver[lifetime] && isComponent { return }
        if isOver[lifetime] { return complete(board, .cancelled) }
        let activation = boards[board].activation
        ties.append(Tie(lifetime: lifetime, board: board, activation: activation, isComponent: isComponent))
    }

    /// B28: what is paired ends as cancelled, but for what belongs to a later activation by then.
    func end(lifetime: Int) {
        if isOver[lifetime] { return }
        isOver[lifetime] = true
        for tie in ties where tie.lifetime == lifetime && !tie.isComponent {
            if boards[tie.board].activation == tie.activation { complete(tie.board, .cancelled) }
        }
    }

    // MARK: The end

    func complete(_ board: Int, _ ending: Ending) {
        let isOutermost = openTurn()
        end(board, ending)
        closeTurn(isOutermost)
    }

    func complete(visit: Int, _ ending: Ending) {
        if visits[visit].inside == nil, visits[visit].outside == .waiting {
            visits[visit].outside = .completed
        } else if let board = liveBoard(of: visits[visit]) {
            complete(board, ending)
        }
    }

    /// B27: at once the board is gone and what is inside ends; its own completion goes behind what was sent before.
    func end(_ board: Int, _ ending: Ending) {
        guard boards[board].phase == .live else { return }
        boards[board].phase = .ended(ending)
        if let nested = boards[board].nested { end(motherboard: nested) }
        queue.append(.ending(ending, of: board))
    }

    func end(motherboard: Int) {
        motherboards[motherboard].isCompleted = true
        let inside = boards.indices.filter { boards[$0].motherboard == motherboard && boards[$0].phase == .live }
        for board in inside.sorted(by: { boards[$0].activation < boards[$1].activation }) { end(board, .cancelled) }
        queue.append(.forget(motherboard: motherboard))
    }
}
