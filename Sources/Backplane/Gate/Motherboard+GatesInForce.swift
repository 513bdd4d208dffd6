extension Motherboard {
    func guardAll(_ gate: GeneralGate, replacing: Bool, at site: CallSite) {
        var gates = generalGates
        if let same = gates.firstIndex(where: { $0.gate.isSame(as: gate.gate) }) {
            if !replacing { site.failBecauseGateIsSet(gate.gate, before: "all boards") }
            gates[same] = gate
        } else {
            gates.append(gate)
        }
        let earlier = generalGates
        generalGates = gates
        drop(earlier)
        scheduler.registryChanged()
    }

    /// The gates in front of a board that is activated here, in the order in which they are asked: the general ones from the
    /// root inward, then those of its own.
    func gates(before entry: AnyBoardEntry) -> [Gate] {
        var gates: [Gate] = []
        _ = appendGeneralGates(before: entry.anyID, to: &gates)
        parent?.appendOwnGates(ofBoardNamed: entry.name, to: &gates)
        gates += entry.ownGates
        return gates
    }

    /// Appends the general gates of this motherboard and those around it, unless it finds `id` to be one of them.
    private func appendGeneralGates(before id: AnyBoardID, to gates: inout [Gate]) -> Bool {
        if let parent, !parent.appendGeneralGates(before: id, to: &gates) { return false }
        for general in generalGates {
            // A gate is not in front of itself, and those that are asked after it are not in front of it.
            if general.gate.gateBoard.anyID == id { return false }
            if !general.exempt.contains(id) { gates.append(general.gate) }
        }
        return true
    }

    private func appendOwnGates(ofBoardNamed name: String, to gates: inout [Gate]) {
        parent?.appendOwnGates(ofBoardNamed: name, to: &gates)
        if let entry = existingEntry(named: name) { gates += entry.ownGates }
    }

    /// The purpose of an activation: the open runs that are acted for by the board that asked for it or else by the flows that are
    /// being fired, and by the boards that this motherboard is inside of.
    func purpose(_ sender: AnyLiveBoard?) -> Purpose? {
        var runs = (sender.map(\.purpose) ?? scheduler.purpose)?.openRuns ?? []
        var level: Motherboard? = self
        while let motherboard = level {
            let host = motherboard.host?.liveBoards.first { $0.number == motherboard.hostNumber }
            runs += host?.purpose?.openRuns ?? []
            level = motherboard.parent
        }
        return Purposes(runs)
    }

    /// The activations that wait here, in the order in which they began.
    var waiting: [GateWaiter] {
        scheduler.waiting.filter { waiter in
            guard let entry = waiter.entry, entry.standing != .orphaned else { return false }
            return entry.motherboard === self
        }
        .sorted { $0.number < $1.number }
    }

    func add(_ flow: DenialFlow) { denialFlows = denialFlows + [flow] }

    func remove(_ flow: AnyFlow) {
        let earlier = denialFlows
        denialFlows = denialFlows.filter { $0 !== flow }
        drop(earlier)
    }

    /// The handlers of denials that are in force here: those of the nearest motherboard that has any.
    var denialFlowsInForce: (flows: [DenialFlow], motherboard: Motherboard)? {
        var level: Motherboard? = self
        while let motherboard = level {
            for flow in motherboard.denialFlows where flow.isOver() { motherboard.remove(flow) }
            if !motherboard.denialFlows.isEmpty { return (motherboard.denialFlows, motherboard) }
            level = motherboard.parent
        }
        return nil
    }
}
