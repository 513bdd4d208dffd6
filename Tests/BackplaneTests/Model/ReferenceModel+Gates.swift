import Backplane

/// Gates: which of them an activation passes, and which of them it asks.
///
/// Two relations decide, and both are searches through the questions asked so far. The *work* of a
/// question is all that its gate board causes: work skips the gate of its own question, and of no
/// other. An open question *needs* another one while its gate board or its work waits there: a
/// cycle of needs denies.
extension ReferenceModel {
    // MARK: Passing gates

    /// B31: Passes one gate after the other, waits at the first that asks, or enters.
    func proceed(_ visit: Int) {
        while isWaiting(visit) {
            guard isScopeLive(visit), hasInput(visit) else { return }
            let gates = gatesInFront(of: visit)
            let isFaulty = faults.contains(.gateSkipped) && !visits[visit].passed.isEmpty
            guard !isFaulty, let gate = gates.first(where: { !hasPassed($0, visit) }) else {
                if move(visit) { continue }
                return
            }
            guard let question = question(of: gate, to: visit) else {
                pass(gate, visit)
                continue
            }
            // B49: A gate never asks the work of its own question. The gate counts as passed,
            // because the activation of a flow may still wait elsewhere when the answer is judged.
            if isWork(visit, of: question) {
                pass(gate, visit)
                continue
            }
            return ask(question, at: gate, for: visit)
        }
    }

    func hasPassed(_ gate: Gate, _ visit: Int) -> Bool {
        gate.number.map { visits[visit].passed.contains($0) } ?? false
    }

    func pass(_ gate: Gate, _ visit: Int) {
        if let number = gate.number { visits[visit].passed.insert(number) }
    }

    /// B31: Returns the general gates from the root inward, then the board's own gates, and last
    /// those that are only where the visit comes from.
    private func gatesInFront(of visit: Int) -> [Gate] {
        // They are asked where the board is.
        if nextPlace(of: visit) != nil { return [] }
        let (name, motherboard) = (visits[visit].name, visits[visit].motherboard)
        return gates(of: path(to: motherboard), inFrontOf: name) + gatesOfOrigin(of: visit)
    }

    /// Returns the gates that are only where the visit comes from.
    func gatesOfOrigin(of visit: Int) -> [Gate] {
        let path = path(to: visits[visit].motherboard)
        return gates(of: self.path(to: source(of: visit)).filter { !path.contains($0) }, inFrontOf: visits[visit].name)
    }

    private func gates(of levels: [Int], inFrontOf name: Name) -> [Gate] {
        let levels = levels.map { motherboards[$0].gates }
        let general = levels.flatMap { gates in
            gates.indices.filter { isGeneral(gates[$0], before: gates[..<$0], inFrontOf: name) }.map { gates[$0] }
        }
        return general + levels.joined().filter { $0.setting.behind == name }
    }

    /// B31, B49: A general gate is in front of all boards but its exceptions, its own gate board
    /// and the gate boards of earlier general gates of the same motherboard.
    private func isGeneral(_ gate: Gate, before earlier: ArraySlice<Gate>, inFrontOf name: Name) -> Bool {
        if gate.setting.behind != nil { return false }
        return !gate.setting.exceptions.contains(name) && gate.gateBoard != name
            && !earlier.contains { $0.setting.behind == nil && $0.gateBoard == name }
    }

    // MARK: Questions

    /// B47, B66: Returns the question of a gate, or `nil` if it asks nothing.
    private func question(of gate: Gate, to visit: Int) -> Question? {
        let input: Int
        switch gate.setting.question {
        case .constant(let constant, let condition):
            if let condition, conditions[condition] { return nil }
            input = constant
        case .table(let inputs):
            guard let asked = inputs.around(visits[visit].input) ?? nil else { return nil }
            input = asked
        }
        // B32: A gate without input is one question, whatever the rule. The gate board lives where
        // the rule was set (B48), so rules of two motherboards have two boards and two questions.
        return gate.gateBoard == .void
            ? Question(home: gate.home, gateBoard: .void, rule: nil, input: 0)
            : Question(home: gate.home, gateBoard: gate.gateBoard, rule: gate.number, input: input)
    }

    /// B69: Returns whether the visit is the work of an open run of exactly this question.
    private func isWork(_ visit: Int, of question: Question) -> Bool {
        if faults.contains(.exemptionByNobody) { return false }
        // B56: Others enter the scope later, so it skips no gate for those who wait for it.
        if visits[visit].hasEntrance { return false }
        return causes(of: visit).contains { isOpen($0) && isSame(runs[$0].question, as: question) }
    }

    private func isSame(_ open: Question, as question: Question) -> Bool {
        if open == question { return true }
        if faults.contains(.exemptionByBoard) { return open.gateBoard == question.gateBoard }
        return faults.contains(.exemptionByRule) && open.rule != nil && open.rule == question.rule
    }

    func isOpen(_ run: Int) -> Bool { !runs[run].waiters.isEmpty }

    // MARK: Work and needs

    /// B49: Returns the runs whose work the visit is: of their gate boards, of boards that these
    /// activate, and of questions asked in front of such boards.
    ///
    /// The first waiter of a run decides whose work its gate board is. A waiter that joins later
    /// exempts from nothing, so that joining a question opens no gate to the work of that question.
    func causes(of visit: Int) -> Set<Int> {
        var found: Set<Int> = []
        var pending = visits[visit].actsFor
        while let run = pending.popLast() {
            if found.insert(run).inserted { pending += visits[runs[run].firstWaiter].actsFor }
        }
        return found
    }

    /// B49: Returns the gate boards of the cycle that would close if `visit` waited in `run`.
    ///
    /// The cycle begins and ends with the gate board of `run`.
    func cycle(of visit: Int, waitingIn run: Int) -> [Int]? {
        var seen: Set<Int> = []
        return chain(from: run, to: visit, &seen).map { $0 + [run] }
    }

    /// Returns the runs from `run` to a visit, of which each one needs the next and the last one
    /// needs the visit.
    private func chain(from run: Int, to visit: Int, _ seen: inout Set<Int>) -> [Int]? {
        let needing = visits[visit].standsFor.map { [$0] } ?? causes(of: visit).sorted(by: >)
        for next in needing where isOpen(next) && seen.insert(next).inserted {
            if next == run { return [run] }
            // Its waiters are about to be denied, or let in by an answer that was sent.
            if !canBeAnswered(next) { continue }
            for waiter in runs[next].waiters {
                if let chain = chain(from: run, to: waiter, &seen) { return chain + [next] }
            }
        }
        return nil
    }
}
