import Backplane

/// The gates in front of a board, which are asked one after another.
extension ReferenceModel {
    /// B8, B31: Returns the gates in front of a board, in the order in which they are asked.
    func gatesInFront(of name: Name, on motherboard: Int) -> [Gate] {
        let all = path(to: motherboard).flatMap { motherboards[$0].gates }
        let general = all.filter { $0.setting.behind == nil }
        // General gates come first. The board of a general gate is not behind that gate or later
        // general gates.
        let inFront = general.enumerated().filter { index, gate in
            let earlierGateBoards = general[..<index].map(\.gateBoard)
            let isLeftOut =
                gate.setting.exceptions.contains(name) || gate.gateBoard == name || earlierGateBoards.contains(name)
            if isLeftOut { situations.insert(.generalGateLeftOut) }
            return !isLeftOut
        }
        return inFront.map(\.element) + all.filter { $0.setting.behind == name }
    }

    /// B31: Asks the next gate that the visit has not passed.
    ///
    /// The gates are read again each time. After the last gate the visit enters its board.
    func proceed(_ visit: Int) {
        while isWaiting(visit) {
            let next = gatesInFront(of: visits[visit].name, on: visits[visit].motherboard)
                .first { !visits[visit].passed.contains($0.number) }
            guard let gate = next, !isSkipped(gate, by: visit) else { return enter(visit) }
            if !visits[visit].passed.isEmpty { situations.insert(.severalGates) }
            if isExempt(visit, from: gate) {
                situations.insert(.exempt)
                visits[visit].passed.insert(gate.number)
            } else if let question = question(of: gate, to: visit) {
                visits[visit].gate = gate
                return ask(visit, question)
            } else {
                // B47, B66: Without a question there is no event.
                situations.insert(.nothingAsked)
                visits[visit].passed.insert(gate.number)
            }
        }
    }

    /// Returns whether a faulty model skips this gate because the visit has passed another gate.
    private func isSkipped(_ gate: Gate, by visit: Int) -> Bool {
        faults.contains(.gateSkipped) && !visits[visit].passed.isEmpty
    }

    /// B49: Returns whether the visit acts for a run of the gate's gate board that has waiters.
    private func isExempt(_ visit: Int, from gate: Gate) -> Bool {
        visits[visit].actsFor.contains { runs[$0].isAt(gate) && !runs[$0].waiters.isEmpty }
    }

    /// B47, B66: Returns the question, or `nil` if there is nothing to ask.
    private func question(of gate: Gate, to visit: Int) -> Int? {
        switch gate.setting.question {
        case .constant(let input, let condition):
            if let condition, conditions[condition] { return nil }
            return gate.gateBoard.input(input)
        case .table(let inputs):
            return (inputs.around(visits[visit].input) ?? nil).map(gate.gateBoard.input)
        }
    }

    /// B32: Puts the visit into the run that asks the same question, or into a new run.
    private func ask(_ visit: Int, _ question: Int) {
        guard let gate = visits[visit].gate else { return }
        raise(.waiting, visits[visit].name, gate: gate.gateBoard)
        if motherboards[gate.home].isCompleted { return deny(visit, .ownerGone) }
        if plan(of: gate.gateBoard, on: gate.home) == nil {
            reportMissing(gate.gateBoard, on: gate.home, actingFor: visits[visit].actsFor)
            return deny(visit, .noSuchGate)
        }
        let joined = runs.indices.first { run in
            guard runs[run].isAt(gate), takesEntrants(run) else { return false }
            // A gate board without input has one question for all gates.
            return gate.gateBoard == .void || runs[run].gate.number == gate.number && runs[run].input == question
        }
        if let circle = joined.map({ circle(of: visit, joining: $0) }) ?? circle(of: visit, at: gate) {
            situations.insert(joined == nil ? .circleAtNewRun : .circleAtJoinedRun)
            return deny(visit, .circle(circle.map(\.anyID)))
        }
        if let joined { join(visit, joined) } else { begin(visit, gate, question) }
    }

    private func join(_ visit: Int, _ run: Int) {
        guard let gate = visits[visit].gate else { return }
        if gate.number != runs[run].gate.number { situations.insert(.runSharedByTwoRules) }
        let others = runs[run].waiters.map { visits[$0].motherboard }
        if !others.contains(visits[visit].motherboard) { situations.insert(.runSharedByTwoLevels) }
        runs[run].waiters.append(visit)
        visits[visit].run = run
    }

    /// B48, B49: Begins a run and enters its gate board on the home of the gate.
    ///
    /// The visit of the gate board first passes the gates in front of that board.
    private func begin(_ visit: Int, _ gate: Gate, _ question: Int) {
        let (run, gateBoardVisit) = (runs.count, visits.count)
        let asker = visits[visit]
        runs.append(
            Run(
                gate: gate,
                input: question,
                causes: asker.standsFor.map { [$0] } ?? asker.actsFor,
                actsFor: [run] + asker.actsFor,
                waiters: [visit],
                gateBoardVisit: gateBoardVisit
            )
        )
        visits[visit].run = run
        visits.append(
            Visit(
                name: gate.gateBoard,
                motherboard: gate.home,
                input: question,
                // The visit does not act for its own run before it is activated for that run.
                actsFor: asker.actsFor,
                standsFor: run
            )
        )
        if asker.motherboard != gate.home { situations.insert(.gateBoardOnOuterMotherboard) }
        proceed(gateBoardVisit)
        if isWaiting(gateBoardVisit) { situations.insert(.gateBoardWaits) }
    }

    // MARK: Circles

    /// B49: Returns the circle that a new run of the gate's gate board would close, or `nil`.
    ///
    /// The circle lists the gate boards from an earlier run of that gate board, which leads to the
    /// visit, back to that gate board.
    private func circle(of visit: Int, at gate: Gate) -> [Name]? {
        let causes = visits[visit].standsFor.map { [$0] } ?? visits[visit].actsFor
        return causes.lazy.compactMap { self.gateBoards(to: $0, from: gate) }.first.map { $0 + [gate.gateBoard] }
    }

    /// Returns the gate boards along the causes of `run`, from the front of `gate` to its own.
    ///
    /// The result is `nil` if no run of that gate board is among the causes.
    private func gateBoards(to run: Int, from gate: Gate) -> [Name]? {
        if runs[run].waiters.isEmpty { return nil }
        if runs[run].isAt(gate) { return [gate.gateBoard] }
        return runs[run].causes.lazy.compactMap { self.gateBoards(to: $0, from: gate) }.first
            .map { $0 + [self.runs[run].gate.gateBoard] }
    }

    /// B49: Returns the circle that the visit would close by joining `run`, or `nil`.
    ///
    /// The circle lists the gate boards from `run` to a run that the visit acts for and that `run`
    /// waits for, and back.
    private func circle(of visit: Int, joining run: Int) -> [Name]? {
        let own = (visits[visit].standsFor.map { [$0] } ?? []) + visits[visit].actsFor
        var gateBoards: [Name] = []
        var next: Int? = run
        while let waiting = next {
            gateBoards.append(runs[waiting].gate.gateBoard)
            if own.contains(waiting), !runs[waiting].waiters.isEmpty { return gateBoards + [runs[run].gate.gateBoard] }
            next = runs[waiting].gateBoardVisit.flatMap { visits[$0].run }
        }
        return nil
    }
}

extension ReferenceModel.Run {
    /// Returns whether this run asks the front of `gate` on its home motherboard.
    func isAt(_ gate: ReferenceModel.Gate) -> Bool {
        self.gate.gateBoard == gate.gateBoard && self.gate.home == gate.home
    }
}
