extension Motherboard {
    /// Returns the live boards on this motherboard and inside them, with their latest inputs.
    ///
    /// The snapshot also has the activations that wait at a gate, and their entries name the gate.
    /// It does not have the gate board that they wait for: restoring the activations asks the gate
    /// again. An activation has no input in the snapshot if the input is not `Codable`, or if a
    /// caller awaits the result. ``restore(_:)`` reports such an activation.
    ///
    /// To make snapshots possible, a live board keeps its latest input if the input is `Codable`,
    /// and only then.
    public func snapshot() -> BoardSnapshot {
        checkOwner()
        return BoardSnapshot(boards: entries())
    }

    private func entries() -> [BoardSnapshot.Entry] {
        let live = allEntries.flatMap(\.liveBoards).filter { $0.openRun == nil }
            .map { (number: $0.generation, entry: $0.entry(inside: $0.nestedIfAny?.entries() ?? [])) }
        let waiting = waiting.compactMap { waiter in
            waiter.snapshotEntry.map { (number: waiter.number, entry: $0) }
        }
        return (live + waiting).sorted { $0.number < $1.number }.map(\.entry)
    }

    /// Activates the boards of a snapshot again, in its order, each before the boards inside it.
    ///
    /// **Scopes.** A snapshot does not enter scopes. The input of a scope, for example an account,
    /// comes from the app's secure storage or from the scope's entrance. So enter the scopes first.
    /// The boards inside a scope are restored if the scope is live. If the scope's input is
    /// `Codable`, it must also equal the input in the snapshot: by `==`, or part by part if its
    /// type is not `Equatable`. Otherwise the scope is reported as
    /// ``BoardSnapshot/Obstacle/scopeNotEntered``. Enter the scope then, and restore the same
    /// snapshot again:
    ///
    /// ```swift
    /// if let account = await vault.account() { motherboard.activate(Session.id, with: account) }
    /// motherboard.restore(snapshot)
    /// ```
    ///
    /// A waiting activation may lead into a scope that only the enclosing scope knows. Such an
    /// activation is denied as ``Denial/Reason/noEntrance`` when it gets there.
    ///
    /// Keep the snapshots of different users apart. If the scope's input is not `Codable`, the
    /// motherboard cannot tell the snapshots of two users apart.
    ///
    /// **Work.** A task board is restored only if it was registered with `repeatable: true`,
    /// because its work may have had its effect already. Otherwise it is reported as
    /// ``BoardSnapshot/Obstacle/notRepeatable``.
    ///
    /// Register everything first, on a motherboard without live boards. A restored board may at
    /// once activate another board of the snapshot, with the same input. That board is not
    /// activated a second time, whether it is live or waits at its gate. Gates are asked as always.
    ///
    /// ```swift
    /// for missing in motherboard.restore(snapshot) { log("not restored: \(missing)") }
    /// ```
    ///
    /// - Returns: the activations that could not be restored, with the reasons. An activation that
    ///   waits at its gate counts as restored, but the boards inside it do not.
    @discardableResult
    public func restore(_ snapshot: BoardSnapshot) -> [BoardSnapshot.Unrestored] {
        checkOwner()
        return restore(snapshot.boards, path: [])
    }

    private func restore(_ boards: [BoardSnapshot.Entry], path: [AnyBoardID]) -> [BoardSnapshot.Unrestored] {
        var taken = Taken()
        return boards.flatMap { entry in
            let path = path + [entry.board]
            let inside = entry.everythingInside.map {
                BoardSnapshot.Unrestored(path: path + $0, obstacle: .outsideMissing)
            }
            switch restore(entry, taken: &taken) {
            case .failure(let obstacle): return [BoardSnapshot.Unrestored(path: path, obstacle: obstacle)] + inside
            case .success(let liveBoard):
                guard let liveBoard, !inside.isEmpty else { return inside }
                return liveBoard.nestedMotherboard().restore(entry.inside, path: path)
            }
        }
    }

    /// The live boards and waiting activations that correspond to entries already restored.
    private struct Taken {
        /// The numbers of the live boards.
        var boards: Set<UInt64> = []
        /// The positions of activations that wait at a gate, in the tree.
        var waiting: Set<UInt64> = []
    }

    /// Restores one activation, unless an equal one exists that no earlier entry corresponds to.
    ///
    /// Returns `nil` as the live board if the activation waits at its gate or has already ended.
    private func restore(
        _ entry: BoardSnapshot.Entry,
        taken: inout Taken
    ) -> Result<AnyLiveBoard?, BoardSnapshot.Obstacle> {
        let boardEntry = self.entry(named: entry.board.name)
        if let boardEntry, boardEntry.leadsToScope { return findScope(entry, in: boardEntry, taken: &taken) }
        if let obstacle = entry.obstacle { return .failure(obstacle) }
        guard let boardEntry else { return .failure(.noSuchBoard) }
        let same = boardEntry.liveBoards.first { liveBoard in
            // To activate a shared board that is being asked would supersede its question.
            !taken.boards.contains(liveBoard.number) && !liveBoard.isPrivate
                && (liveBoard.isShared || liveBoard.openRun == nil) && liveBoard.isActivated(with: entry.input)
        }
        if let same {
            taken.boards.insert(same.number)
            return .success(same)
        }
        if let same = waiting.first(where: { !taken.waiting.contains($0.number) && $0.isForm(of: entry) }) {
            taken.waiting.insert(same.number)
            return .success(nil)
        }
        // An activation that waits has not begun its work.
        if !entry.isWaiting, !boardEntry.home.isRepeatable { return .failure(.notRepeatable) }
        guard let activation = boardEntry.activate(reading: entry.input) else { return .failure(.inputUnreadable) }
        switch activation.state {
        case .noSuchBoard: return .failure(.noSuchBoard)
        case .denied: return .failure(.denied)
        case .ownerGone: return .failure(.outsideMissing)
        case .waiting:
            guard let waiter = activation.waiter else { break }
            waiter.isRestored = true
            taken.waiting.insert(waiter.number)
        case .active, .superseded, .completed: break
        }
        guard let liveBoard = activation.liveBoard, liveBoard.isLive else { return .success(nil) }
        taken.boards.insert(liveBoard.number)
        return .success(liveBoard)
    }

    /// Returns the live scope that an entry describes, which the app must have entered.
    private func findScope(
        _ entry: BoardSnapshot.Entry,
        in boardEntry: AnyBoardEntry,
        taken: inout Taken
    ) -> Result<AnyLiveBoard?, BoardSnapshot.Obstacle> {
        guard !entry.isWaiting, let liveBoard = boardEntry.liveScope else { return .failure(.scopeNotEntered) }
        let isCodable = liveBoard.entry(inside: []).obstacle != .inputNotCodable
        guard liveBoard.isActivated(with: entry.input) || entry.obstacle == .inputNotCodable && !isCodable else {
            return .failure(.scopeNotEntered)
        }
        taken.boards.insert(liveBoard.number)
        return .success(liveBoard)
    }

    /// Returns the entry with that name, which it creates if an ancestor knows the contract.
    func entry(named name: String) -> AnyBoardEntry? {
        var level: Motherboard? = self
        while let motherboard = level {
            if let boardEntry = motherboard.existingEntry(named: name) {
                return motherboard === self ? boardEntry : boardEntry.counterpart(on: self)
            }
            level = motherboard.parent
        }
        return nil
    }
}

extension BoardSnapshot.Obstacle: Error {}

extension AnyBoardEntry {
    /// Whether the board is a scope, here or where its route leads.
    fileprivate var leadsToScope: Bool {
        if isScope || home.isScope { return true }
        // The scope around it may not be live.
        guard ownRoute == nil, route != nil else { return false }
        return motherboard.level.outer?.nearestEntry(named: name)?.leadsToScope ?? false
    }
}

extension AnyGateWaiter {
    /// Returns whether the activation waits with the board and the input of a snapshot's entry.
    fileprivate func isForm(of entry: BoardSnapshot.Entry) -> Bool {
        // The activation of a gate board that is shared would be superseded, too.
        if asker != 0, let own = self.entry, own.reuse == .shared, own.scheduler.gates.kind(of: asker) == .shared {
            return own.anyID == entry.board
        }
        guard let own = snapshotEntry, own.obstacle != .awaited, own.board == entry.board else { return false }
        return hasInput(entry.input)
    }
}

extension BoardSnapshot.Entry {
    fileprivate var everythingInside: [[AnyBoardID]] {
        inside.flatMap { entry in [[entry.board]] + entry.everythingInside.map { [entry.board] + $0 } }
    }
}
