import Backplane

/// Handles and activation.
extension ReferenceModel {
    // MARK: Handles

    func isWaiting(_ visit: Int) -> Bool {
        visits[visit].inside == nil && visits[visit].outside == .waiting
    }

    func state(of visit: Int) -> ActivationState {
        guard let (board, activation) = visits[visit].inside else { return visits[visit].outside }
        if boards[board].activation != activation { return .superseded }
        switch boards[board].phase {
        case .live: return .active
        case .ended: return .completed
        case .ownerGone: return .ownerGone
        }
    }

    func ending(of visit: Int) -> Ending? {
        guard let (board, activation) = visits[visit].inside else {
            return visits[visit].outside == .completed ? .cancelled : nil
        }
        if boards[board].activation == activation, case .ended(let ending) = boards[board].phase { return ending }
        return nil
    }

    func liveBoard(of visit: Int) -> Int? {
        state(of: visit) == .active ? visits[visit].inside?.board : nil
    }

    // MARK: Activation

    func activate(_ name: Name, with input: Int, on motherboard: Int) {
        var visit = 0
        turn { visit = visitBoard(name, with: name.input(input), on: motherboard) }
        handles.append(visit)
        noteState(of: handles.count - 1)
    }

    @discardableResult
    func visitBoard(_ name: Name, with input: Int, on motherboard: Int, use: Int? = nil) -> Int {
        let visit = visits.count
        // B49: The visit acts for the runs of the code that activates it, and for the runs of each
        // board that contains its motherboard.
        let actsFor = actingFor + purposes(on: motherboard)
        activations += 1
        visits.append(
            Visit(
                name: name,
                motherboard: motherboard,
                input: input,
                number: activations,
                actsFor: actsFor,
                use: use
            )
        )
        if motherboards[motherboard].isCompleted {
            visits[visit].outside = .ownerGone
        } else if isUnknown(name, on: motherboard) {
            // B31: No gate is asked in front of an unregistered ID.
            visits[visit].outside = .noSuchBoard
            reportMissing(name, on: motherboard, actingFor: actsFor)
        } else {
            proceed(visit)
        }
        return visit
    }

    /// B10: Raises one event and calls the nearest fallback.
    func reportMissing(_ name: Name, on motherboard: Int, actingFor runs: [Int]) {
        raise(.noSuchBoard, name)
        guard let (number, routine) = nearest(to: motherboard, { $0.fallback }) else { return }
        note(.missed(name, fallback: number, on: motherboard))
        acting(for: runs) { perform(routine: routine, on: motherboard) }
    }

    /// Creates the board or takes the live shared board, and activates it.
    func enter(_ visit: Int) {
        let (name, input) = (visits[visit].name, visits[visit].input)
        // B56: A scope's board belongs to the motherboard of the scope.
        let motherboard = place(of: name, from: visits[visit].motherboard).motherboard ?? visits[visit].motherboard
        guard let plan = plan(of: name, on: motherboard) else { return }
        if let use = visits[visit].use, dropsEntrance(of: name, use) { return giveUp(visit) }
        if let use = visits[visit].use { uses[use].isOver = true }
        let run = visits[visit].standsFor
        visits[visit].motherboard = motherboard
        if isScope(name), !leaveScope(name, on: motherboard) {
            visits[visit].outside = .superseded
            return
        }
        // B32: A gate board with input is made for its run alone, whatever its `reuse`.
        let isRunsOwn = run != nil && name != .void && !isScope(name)
        let shared =
            isRunsOwn
            ? nil
            : live(name, on: motherboard).first(where: isShared)
        let board = shared ?? boards.count
        activations += 1
        // A scope that is entered for waiting activations is not the work of a question.
        let actsFor = visits[visit].hasEntrance ? [] : run.map { [$0] } ?? visits[visit].actsFor
        if let shared {
            boards[shared].activation = activations
            boards[shared].input = input
            boards[shared].actsFor = actsFor
            if !isDetour(visit, at: shared) {
                let asked = boards[shared].answers
                let isOwnWork = asked.map(causes(of: visit).contains) ?? false
                if run == nil || (asked != run && !isOwnWork) { supersedeRun(of: shared) }
                if let asked, run == nil, isAskedForScope(asked) {
                    // B73: An entrance goes on answering for a scope, whoever has activated it.
                    boards[shared].actsFor.append(asked)
                } else
                // A faulty model counts an output of the new activation as an answer to the old
                // question.
                if !(run == nil && faults.contains(.supersedingIgnored)) {
                    boards[shared].answers = run
                }
            }
        } else {
            boards.append(
                MadeBoard(
                    name: name,
                    motherboard: motherboard,
                    plan: plan,
                    isRunsOwn: isRunsOwn,
                    activation: activations,
                    input: input,
                    answers: run,
                    actsFor: actsFor
                )
            )
        }
        if let run {
            runs[run].board = board
            runs[run].isBoardMadeForIt = shared == nil
        }
        visits[visit].inside = (board, activations)
        if shared == nil { make(board, for: input) }
        // A board that ends during its creation is not activated.
        if boards[board].phase == .live {
            note(.activated(board: board, input))
            perform(script.plans[boards[board].plan].whenActivated.around(input) ?? [], as: board)
        }
        enterWaiting(scope: board)
    }

    /// Returns whether a later activation of the ID reuses the board.
    func isShared(_ board: Int) -> Bool {
        script.plans[boards[board].plan].reuse == .shared && !boards[board].isRunsOwn
    }

    private func make(_ board: Int, for input: Int) {
        let plan = boards[board].plan
        let isToldInput = script.plans[plan].reuse == .perInput
        if boards[board].name.isScope || restores { _ = inner(of: board) }
        note(.made(board: board, boards[board].name, plan: plan, input: isToldInput ? input : nil))
        perform(script.plans[plan].whileMade, as: board)
        boards[board].isMade = true
        notifyOfEnd(board)
    }

    func perform(_ steps: [Step], as board: Int) {
        for step in steps { perform(step, as: board) }
    }
}
