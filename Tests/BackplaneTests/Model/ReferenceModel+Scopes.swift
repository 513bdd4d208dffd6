import Backplane

/// Scopes (B56): where the boards inside them live, and how they are entered.
///
/// A scope is a question of its own: an activation of a board inside asks it, and the visit that
/// stands for this question asks the entrance, then the gates in front of the scope. Scopes are
/// declared on the root only.
extension ReferenceModel {
    enum Place {
        case on(Int)
        /// The board is inside a scope that is not live.
        case behind(Name)

        var motherboard: Int? {
            if case .on(let motherboard) = self { motherboard } else { nil }
        }
    }

    // MARK: Places

    func registerScope(_ setting: ScopeSetting, on motherboard: Int) {
        let gate = GateSetting(
            behind: setting.scope,
            gateBoard: setting.entrance,
            question: .constant(setting.question, unless: nil)
        )
        motherboards[motherboard].entrances[setting.scope] = Gate(
            number: gates,
            home: motherboard,
            setting: gate,
            entrance: setting
        )
        gates += 1
    }

    func scope(of name: Name) -> Name? { motherboards[0].declared[name] }

    /// Returns the motherboard of the boards of an ID, for calls on `motherboard`.
    ///
    /// A board that is declared inside a scope lives there, and a scope lives where its entrance is
    /// registered, on the root or inside the scope in which it is declared.
    func place(of name: Name, from motherboard: Int) -> Place {
        guard let scope = scope(of: name) else { return .on(isScope(name) ? 0 : motherboard) }
        // B8: Below the motherboard of the scope's board, a board is made where it is activated.
        if !isScope(name), isInside(scope, motherboard) { return .on(motherboard) }
        // B8: The nearest registration counts, and the declaration is on the root.
        if path(to: motherboard).dropFirst().contains(where: { motherboards[$0].plans[name] != nil }) {
            return .on(motherboard)
        }
        guard case .on(let outside) = place(of: scope, from: 0) else { return .behind(scope) }
        guard let board = live(scope, on: outside).last else { return .behind(scope) }
        return .on(inner(of: board))
    }

    /// Returns whether no board can be made for calls on `motherboard`, nor in a scope.
    func isUnknown(_ name: Name, on motherboard: Int) -> Bool {
        if plan(of: name, on: motherboard) != nil { return false }
        guard scope(of: name) != nil, !motherboards[motherboard].isCompleted else { return true }
        guard let place = place(of: name, from: motherboard).motherboard else { return false }
        return path(to: motherboard).contains(place)
    }

    private func isInside(_ scope: Name, _ motherboard: Int) -> Bool {
        path(to: motherboard).contains { motherboards[$0].host.map { boards[$0].name == scope } ?? false }
    }

    /// B77: Returns the motherboards whose flows receive the messages of a board, from the inside
    /// outward.
    func reach(of name: Name, on motherboard: Int) -> [Int] {
        guard let scope = scope(of: name), let host = motherboards[motherboard].host, boards[host].name == scope else {
            return [motherboard]
        }
        let outside = boards[host].motherboard
        // A board without an entrance may be a scope on any motherboard.
        if !isScope(scope), outside != 0 { return [motherboard, outside, 0] }
        return [motherboard] + reach(of: scope, on: outside)
    }

    /// B49: Returns the runs whose work everything on a motherboard is.
    func purposes(on motherboard: Int) -> [Int] {
        path(to: motherboard).compactMap { motherboards[$0].host }.flatMap { boards[$0].actsFor }
    }

    // MARK: Entering

    /// Returns whether the scope around the board is live; otherwise, the visit waits for it.
    func isScopeLive(_ visit: Int) -> Bool {
        let (name, motherboard) = (visits[visit].name, visits[visit].motherboard)
        if visits[visit].isInPlace || visits[visit].scope != nil { return true }
        guard case .behind(let scope) = place(of: name, from: motherboard) else {
            // An activation enters the scope that was live when it came, and no later one.
            if let place = nextPlace(of: visit), isInner(place, ofScopeAround: name) {
                visits[visit].scope = motherboards[place].host
            }
            return true
        }
        let gate = Gate(number: nil, home: motherboard, setting: GateSetting(behind: name, gateBoard: scope))
        ask(Question(home: 0, gateBoard: scope, rule: nil, input: 0, isForScope: true), at: gate, for: visit)
        return false
    }

    /// Returns the motherboard to which a visit goes on, `nil` if it is there.
    func nextPlace(of visit: Int) -> Int? {
        if visits[visit].isInPlace { return nil }
        if let scope = visits[visit].scope { return inner(of: scope) }
        let motherboard = visits[visit].motherboard
        let place = place(of: visits[visit].name, from: motherboard).motherboard
        return place == motherboard ? nil : place
    }

    /// Moves a visit to the motherboard of its board.
    ///
    /// Enters the board if there is nothing more to do. Returns whether more gates are in front of
    /// it.
    func move(_ visit: Int) -> Bool {
        let name = visits[visit].name
        guard let place = nextPlace(of: visit) else {
            enter(visit)
            return false
        }
        if let scope = visits[visit].scope, case .ended(let ending) = boards[scope].phase {
            let gate = GateSetting(behind: name, gateBoard: boards[scope].name)
            visits[visit].gate = Gate(number: nil, home: place, setting: gate)
            deny(visit, reason(of: ending, on: 0))
            return false
        }
        // B56: A scope whose inner motherboard has completed registers no board.
        if motherboards[place].isCompleted || plan(of: name, on: place) == nil {
            let scope = scope(of: name) ?? name
            visits[visit].gate = Gate(number: nil, home: place, setting: GateSetting(behind: name, gateBoard: scope))
            deny(visit, .notInside)
            return false
        }
        visits[visit].origin = visits[visit].motherboard
        visits[visit].motherboard = place
        visits[visit].isInPlace = true
        return true
    }

    /// Asks the entrance for the input of a scope that activations wait for.
    ///
    /// Returns whether the input is there already.
    func hasInput(_ visit: Int) -> Bool {
        guard let run = visits[visit].standsFor, runs[run].question.isForScope else { return true }
        if visits[visit].hasEntrance || nextPlace(of: visit) != nil { return true }
        guard let gate = entrance(of: visits[visit].name), let entrance = gate.entrance else {
            visits[visit].outside = .completed
            denyEntrants(of: run, .noEntrance)
            return false
        }
        let isVoid = gate.gateBoard == .void
        let question = Question(
            home: visits[visit].motherboard,
            gateBoard: gate.gateBoard,
            rule: isVoid ? nil : gate.number,
            input: isVoid ? 0 : entrance.question
        )
        ask(question, at: gate, for: visit)
        return false
    }

    /// Ends the live scope, and returns whether its end has not entered another one.
    func leaveScope(_ name: Name, on motherboard: Int) -> Bool {
        for board in live(name, on: motherboard) { end(board, .cancelled) }
        return live(name, on: motherboard).isEmpty
    }

    /// Lets the activations that wait for a scope continue inside it.
    ///
    /// The question to the entrance is withdrawn, if it is still open.
    func enterWaiting(scope board: Int) {
        let (name, motherboard) = (boards[board].name, boards[board].motherboard)
        let isOver = boards[board].phase != .live
        if !isOver, place(of: name, from: 0).motherboard != motherboard { return }
        let open = runs.indices.filter {
            isOpen($0) && runs[$0].question.isForScope && runs[$0].question.gateBoard == name
                && (!isOver || runs[$0].board == board)
        }
        var waiters = open.flatMap { runs[$0].waiters }.sorted()
        for run in open { runs[run].waiters = [] }
        for visit in waiters { visits[visit].run = nil }
        for run in open { withdraw(runs[run].gateBoardVisit) }
        if faults.contains(.scopeForgetsEntrant), waiters.count > 1 { waiters.removeLast() }
        for visit in waiters where isWaiting(visit) {
            if isOver {
                if case .ended(let ending) = boards[board].phase { deny(visit, reason(of: ending, on: 0)) }
            } else {
                raise(.gateOpened, visits[visit].name, gate: name)
                // B8: A registration may have come nearer meanwhile.
                let (name, motherboard) = (visits[visit].name, visits[visit].motherboard)
                if place(of: name, from: motherboard).motherboard != motherboard { visits[visit].scope = board }
                proceed(visit)
            }
        }
    }

    /// Uses an output that an entrance has sent, behind everything sent before.
    ///
    /// It takes the place of an earlier one that waits at a gate in front of the scope. If no
    /// activation uses it, it enters the scope.
    func enter(_ scope: Name, with input: Int, at motherboard: Int, use: Int) {
        if use >= lastUses[motherboard]?[scope] ?? 0 {
            lastUses[motherboard, default: [:]][scope] = use
            if motherboards[motherboard].isCompleted { return }
        } else if uses[use].isUsed {
            return drop(use, for: scope)
        }
        if !uses[use].isUsed, dropsEntrance(of: scope, use) { return }
        for visit in visits.indices where visits[visit].name == scope && isWaiting(visit) {
            guard let earlier = visits[visit].use, earlier != use, uses[earlier].home == motherboard else { continue }
            drop(earlier, for: scope)
            replaceEntrance(of: visit, with: input, use)
        }
        if uses[use].isUsed { return }
        visitBoard(scope, with: input, on: motherboard, use: use)
    }

    /// Lets a visit that waits at a gate enter its scope with a later input, about which all gates
    /// are asked again.
    private func replaceEntrance(of visit: Int, with input: Int, _ use: Int) {
        if uses[use].isUsed, visits[visit].standsFor == nil { return giveUp(visit) }
        uses[use].isUsed = true
        visits[visit].input = input
        visits[visit].use = use
        visits[visit].passed = []
        let (name, motherboard) = (visits[visit].name, visits[visit].motherboard)
        guard visits[visit].isInPlace || place(of: name, from: motherboard).motherboard == motherboard else { return }
        leave(visit)
        proceed(visit)
    }

    /// Returns whether a later output has been used, or the scope is live and not switching.
    ///
    /// Asked again after the gates in front of the scope.
    func dropsEntrance(of scope: Name, _ use: Int) -> Bool {
        let motherboard = uses[use].home
        let isLive = place(of: scope, from: motherboard).motherboard.map { !live(scope, on: $0).isEmpty } ?? false
        let isLater = use < lastUses[motherboard]?[scope] ?? 0
        guard uses[use].isOver || isLater || isLive && entrance(of: scope)?.entrance?.isSwitching == false else {
            return false
        }
        drop(use, for: scope)
        return true
    }

    /// Discards an output of the entrance of a scope, with one event.
    func drop(_ use: Int, for scope: Name) {
        if uses[use].isOver { return }
        uses[use].isOver = true
        raise(.droppedEntrance, scope)
    }

    /// Returns the scopes that the outputs of a board may enter, in the order of registration, with
    /// the motherboards on which they do.
    ///
    /// A scope inside another one counts as registered there, too.
    func entered(by board: Int) -> [(Name, Int)] {
        let reach = reach(of: boards[board].name, on: boards[board].motherboard)
        let scopes = motherboards[0].entrances.filter { $1.gateBoard == boards[board].name }
        return scopes.sorted { ($0.value.number ?? 0) < ($1.value.number ?? 0) }.compactMap { scope, _ in
            reach.first { $0 == 0 || isInner($0, ofScopeAround: scope) }.map { (scope, $0) }
        }
    }

    func isInner(_ motherboard: Int, ofScopeAround name: Name) -> Bool {
        motherboards[motherboard].host.map { boards[$0].name == scope(of: name) } ?? false
    }

    func entrance(of scope: Name) -> Gate? { motherboards[0].entrances[scope] }

    func isScope(_ name: Name) -> Bool { entrance(of: name) != nil }
}
