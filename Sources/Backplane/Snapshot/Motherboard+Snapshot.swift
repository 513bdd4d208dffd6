extension Motherboard {
    /// What is live on this motherboard and inside its boards, each with what it was activated with last.
    ///
    /// A gate at which somebody waits is not in the snapshot, but those who wait are: restoring them asks it
    /// again, and the entry names the gate. An activation whose input is not `Codable`, or whose result somebody awaits, is there with its
    /// ``BoardSnapshot/Entry/obstacle``.
    ///
    /// For this a live board's input is remembered if it is `Codable`, and only then.
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

    /// Activates again what is in a snapshot, in its order, the inside of a board after the board.
    ///
    /// **Scopes.** A snapshot enters no scope: its input, an account for example, comes from the app, which has it from a safe
    /// place, or from the scope's entrance. Enter the scopes first. What is inside a scope is restored if the scope is live, and
    /// with an equal input where that is `Codable`; otherwise the scope is reported as
    /// ``BoardSnapshot/Obstacle/scopeNotEntered``. Enter it then, and restore the same snapshot again:
    ///
    /// ```swift
    /// if let account = await vault.account() { motherboard.activate(.session, with: account) }
    /// motherboard.restore(snapshot)
    /// ```
    ///
    /// Keep the snapshots of each user apart. Where the input is not `Codable`, nothing tells one user's from another's.
    ///
    /// Register everything first, on a motherboard on which nothing is live. What a board that is restored activates at
    /// once by itself, with the same input, is not activated a second time, whether it is live or waits at its gate. Gates
    /// are asked as ever.
    ///
    /// ```swift
    /// for missing in motherboard.restore(snapshot) { log("not restored: \(missing)") }
    /// ```
    ///
    /// - Returns: what could not be restored, and why. What waits at its gate counts as restored, but not what was inside it.
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

    /// What entries of a snapshot are about already.
    private struct Taken {
        /// The numbers of live boards.
        var boards: Set<UInt64> = []
        struct Waiting: Hashable {
            let board: AnyBoardID
            let input: WrittenPayload
        }

        /// The number of those that wait at a gate.
        var waiting: [Waiting: Int] = [:]
    }

    /// Restores one activation, unless there is one like it that no entry before this one is about.
    ///
    /// The board is nil where it waits at its gate, or was over at once.
    private func restore(
        _ entry: BoardSnapshot.Entry,
        taken: inout Taken
    ) -> Result<AnyLiveBoard?, BoardSnapshot.Obstacle> {
        let boardEntry = self.entry(named: entry.board.name)
        if let boardEntry, boardEntry.isScope { return findScope(entry, in: boardEntry, taken: &taken) }
        if let obstacle = entry.obstacle { return .failure(obstacle) }
        guard let boardEntry else { return .failure(.noSuchBoard) }
        let same = boardEntry.liveBoards.first { liveBoard in
            !taken.boards.contains(liveBoard.number) && !liveBoard.isPrivate && liveBoard.openRun == nil
                && liveBoard.entry(inside: []).input == entry.input
        }
        if let same {
            taken.boards.insert(same.number)
            return .success(same)
        }
        let waiting = Taken.Waiting(board: entry.board, input: entry.input)
        let alike = self.waiting.count { waiter in
            guard let other = waiter.snapshotEntry, other.obstacle != .awaited else { return false }
            return other.board == entry.board && other.input == entry.input
        }
        if taken.waiting[waiting, default: 0] < alike {
            taken.waiting[waiting, default: 0] += 1
            return .success(nil)
        }
        guard let activation = boardEntry.activate(reading: entry.input) else { return .failure(.inputUnreadable) }
        switch activation.state {
        case .noSuchBoard: return .failure(.noSuchBoard)
        case .denied: return .failure(.denied)
        case .ownerGone: return .failure(.outsideMissing)
        case .waiting: taken.waiting[waiting, default: 0] += 1
        case .active, .superseded, .completed: break
        }
        guard let liveBoard = activation.liveBoard, liveBoard.isLive else { return .success(nil) }
        taken.boards.insert(liveBoard.number)
        return .success(liveBoard)
    }

    /// Finds the scope that was live, which the app must have entered.
    private func findScope(
        _ entry: BoardSnapshot.Entry,
        in boardEntry: AnyBoardEntry,
        taken: inout Taken
    ) -> Result<AnyLiveBoard?, BoardSnapshot.Obstacle> {
        guard !entry.isWaiting, let liveBoard = boardEntry.liveScope else { return .failure(.scopeNotEntered) }
        let live = liveBoard.entry(inside: [])
        guard live.input == entry.input || entry.obstacle == .inputNotCodable && live.obstacle == .inputNotCodable
        else {
            return .failure(.scopeNotEntered)
        }
        taken.boards.insert(liveBoard.number)
        return .success(liveBoard)
    }

    /// The entry of that name, made if what is around this motherboard tells its contract.
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

extension BoardSnapshot.Entry {
    fileprivate var everythingInside: [[AnyBoardID]] {
        inside.flatMap { entry in [[entry.board]] + entry.everythingInside.map { [entry.board] + $0 } }
    }
}
