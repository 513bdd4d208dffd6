import Backplane

/// Facts, motherboards and turns.
extension ReferenceModel {
    func note(_ fact: Fact) {
        journal.append(fact)
    }

    func raise(_ kind: BoardEvent.Kind, _ name: Name?, gate: Name? = nil) {
        if isObserved { note(.event(kind, name, gate: gate)) }
    }

    func noteAlive() {
        let components = bindings.count { $0.keepsComponent && boards[$0.board].phase == .live && !isOver[$0.lifetime] }
        note(.alive(boards: boards.count { $0.phase == .live }, components: components))
    }

    func noteHandles() {
        for handle in handles.indices { noteState(of: handle) }
    }

    func noteState(of handle: Int) {
        let visit = handles[handle]
        note(.state(handle: handle, state(of: visit), ending(of: visit)))
    }

    // MARK: Levels

    func parent(of motherboard: Int) -> Int? {
        motherboards[motherboard].host.map { boards[$0].motherboard }
    }

    /// Returns the motherboards from the root to `motherboard`.
    func path(to motherboard: Int) -> [Int] {
        (parent(of: motherboard).map(path) ?? []) + [motherboard]
    }

    /// Returns the value of `motherboard`, or of its nearest ancestor that has a value.
    func nearest<Value>(to motherboard: Int, _ value: (Level) -> Value?) -> Value? {
        for level in path(to: motherboard).reversed() {
            if let found = value(motherboards[level]) { return found }
        }
        return nil
    }

    /// B8: Returns the plan of the nearest registration.
    func plan(of name: Name, on motherboard: Int) -> Int? {
        nearest(to: motherboard) { $0.plans[name] }
    }

    /// Returns the live boards of an ID, in order of creation.
    func live(_ name: Name, on motherboard: Int) -> [Int] {
        boards.indices.filter {
            boards[$0].name == name && boards[$0].motherboard == motherboard && boards[$0].phase == .live
        }
    }

    /// B54: Returns the live boards of a motherboard, in order of activation.
    func live(on motherboard: Int) -> [Int] {
        boards.indices
            .filter { boards[$0].motherboard == motherboard && boards[$0].phase == .live }
            .sorted { boards[$0].activation < boards[$1].activation }
    }

    /// Returns the visits that wait to enter a board of a motherboard, in order of activation.
    func waiting(on motherboard: Int, for name: Name? = nil) -> [Int] {
        visits.indices.filter {
            isWaiting($0) && visits[$0].motherboard == motherboard && (name == nil || visits[$0].name == name)
        }
    }

    /// B51: Returns the motherboard on which a visit was made, unless it has completed.
    func source(of visit: Int) -> Int {
        guard let origin = visits[visit].origin, !motherboards[origin].isCompleted else {
            return visits[visit].motherboard
        }
        return origin
    }

    /// B24: Returns the nested motherboard of a live board, created on first use.
    func inner(of board: Int) -> Int {
        if let inner = boards[board].inner { return inner }
        motherboards.append(Level(host: board))
        boards[board].inner = motherboards.count - 1
        return motherboards.count - 1
    }

    /// B24: An ended board receives a completed motherboard without a parent.
    func completedMotherboard() -> Int {
        motherboards.append(Level(host: nil, isCompleted: true))
        return motherboards.count - 1
    }

    // MARK: Turns

    /// B2: Runs `body`; the outermost call delivers everything before it returns.
    func turn(_ body: () -> Void) {
        if isTurnOpen { return body() }
        isTurnOpen = true
        body()
        while !queue.isEmpty { deliver(queue.removeFirst()) }
        isTurnOpen = false
    }

    /// B49: Runs code that acts for `runs`.
    func acting(for runs: [Int], _ body: () -> Void) {
        let before = actingFor
        actingFor = runs
        body()
        actingFor = before
    }
}
