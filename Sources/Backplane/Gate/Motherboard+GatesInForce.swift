extension Motherboard {
    func addGeneralGate(_ gate: GeneralGate, replacing: Bool, at site: CallSite) {
        var gates = level.generalGates
        if let same = gates.firstIndex(where: { $0.gate.isSame(as: gate.gate) }) {
            if !replacing { site.failBecauseGateIsSet(gate.gate, before: "all boards") }
            gates[same] = gate
        } else {
            gates.append(gate)
        }
        let earlier = level.generalGates
        level.generalGates = gates
        drop(earlier)
        level.registryChanged()
    }

    /// Returns the purpose of an activation: all open runs that it acts for.
    ///
    /// These are the runs of the board that activates it or, without such a board, of the flows
    /// that fire now. The runs of all boards that contain this motherboard are added.
    func purpose(_ sender: AnyLiveBoard?) -> Purpose? {
        scheduler.gates.union(sender.map(\.purpose) ?? scheduler.purpose, parentPurpose)
    }

    /// The runs of the boards that contain this motherboard.
    ///
    /// They are kept until a board that contains boards gets another purpose. Otherwise each board
    /// inside others would ask all of them.
    private var parentPurpose: Purpose? {
        guard let parentEntry else { return nil }
        if purposeVersion != scheduler.purposeVersion {
            purposeVersion = scheduler.purposeVersion
            let parentBoard = parentEntry.liveBoards.first { $0.number == level.parentNumber }
            keptPurpose = scheduler.gates.union(parentBoard?.purpose, parent?.parentPurpose)
        }
        return keptPurpose
    }

    /// The activations that wait on this motherboard, in the order they started.
    var waiting: [AnyGateWaiter] {
        scheduler.waiting.filter { waiter in
            guard let entry = waiter.entry, entry.standing != .orphaned else { return false }
            return entry.level === level
        }
        .sorted { $0.number < $1.number }
    }
}

extension Level {
    /// Returns the gates in front of a board that is activated here, in the order they are asked.
    ///
    /// General gates come first, from the root motherboard inward. Then come the board's own gates,
    /// from the root motherboard inward. With `limit`, only the motherboards inside it count.
    func gates(before entry: AnyBoardEntry, below limit: Level? = nil) -> [AnyGate] {
        if self === limit { return [] }
        var gates: [AnyGate] = []
        appendGeneralGates(before: entry, below: limit, to: &gates)
        outer(below: limit)?.appendOwnGates(of: entry, below: limit, to: &gates)
        gates += entry.ownGates
        return gates
    }

    /// Returns whether this motherboard or an ancestor below `limit` has general gates.
    func hasGeneralGates(below limit: Level?) -> Bool {
        !generalGates.isEmpty || outer(below: limit)?.hasGeneralGates(below: limit) ?? false
    }

    private func outer(below limit: Level?) -> Level? { outer === limit ? nil : outer }

    /// Appends the general gates of this motherboard and its ancestors that are in front of a
    /// board.
    private func appendGeneralGates(before entry: AnyBoardEntry, below limit: Level?, to gates: inout [AnyGate]) {
        outer(below: limit)?.appendGeneralGates(before: entry, below: limit, to: &gates)
        if generalGates.isEmpty { return }
        // Gate boards and exceptions have an entry here, whose name may belong to another contract.
        let known = entries.find(entry.name).flatMap { $0.hasSameContract(as: entry) ? $0 : nil }
        for general in generalGates {
            // A gate is not in front of its own gate board. Nor are the later general gates of the
            // same motherboard.
            if general.gate.gateBoard === known { return }
            if known == nil || !general.exempt.contains(entry.anyID) { gates.append(general.gate) }
        }
    }

    private func appendOwnGates(of entry: AnyBoardEntry, below limit: Level?, to gates: inout [AnyGate]) {
        outer(below: limit)?.appendOwnGates(of: entry, below: limit, to: &gates)
        // A name may belong to another contract here, whose gates cannot read this board's input.
        if let own = entries.find(entry.name), own.hasSameContract(as: entry) { gates += own.ownGates }
    }
}
