import Backplane

/// Snapshots and their restore (B43).
extension ReferenceModel {
    /// Returns the live boards and the waiting activations, in the order of their activations.
    ///
    /// A waiting activation stands for its gate board, which its restore makes again.
    func snapshot(of motherboard: Int = 0) -> [Fact.Entry] {
        let live = self.live(on: motherboard).filter { !isAnswering($0) }
        let waiting = self.waiting(on: motherboard).filter { visits[$0].standsFor == nil }
        let boardEntries = live.map { board in
            (
                boards[board].activation,
                Fact.Entry(
                    board: boards[board].name,
                    input: boards[board].input,
                    gate: nil,
                    inside: boards[board].inner.map(snapshot) ?? []
                )
            )
        }
        let waitingEntries = waiting.map { visit in
            (
                visits[visit].number,
                Fact.Entry(
                    board: visits[visit].name,
                    input: visits[visit].input,
                    gate: visits[visit].gate?.gateBoard,
                    // B31: The gates of another motherboard are not in front of it when it is
                    // restored.
                    isDenied: gatesOfOrigin(of: visit).contains { !hasPassed($0, visit) },
                    inside: []
                )
            )
        }
        return (boardEntries + waitingEntries).sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func isAnswering(_ board: Int) -> Bool {
        boards[board].answers.map(isOpen) ?? false
    }

    /// Activates the entries in their order, each before the entries inside it.
    func restore(_ entries: [Fact.Entry], on motherboard: Int, path: [Name] = []) {
        var matched: Set<Int> = []
        var matchedVisits: Set<Int> = []
        for entry in entries {
            let path = path + [entry.board]
            // B56: A snapshot never enters a scope.
            if isScope(entry.board) {
                if let scope = live(entry.board, on: motherboard).first, boards[scope].input == entry.input,
                    entry.gate == nil, !matched.contains(scope)
                {
                    matched.insert(scope)
                    restore(entry.inside, inside: scope, path: path)
                } else {
                    report(entry, .scopeNotEntered, path: path)
                }
                continue
            }
            if entry.isDenied {
                report(entry, .denied, path: path)
                continue
            }
            // B72: An equal activation is the same, however its input was written. B32: So is that
            // of a shared gate board without input, because another one would supersede it.
            let equal = live(entry.board, on: motherboard).first {
                boards[$0].input == entry.input && (!isAnswering($0) || isShared($0)) && !matched.contains($0)
            }
            let reuse = plan(of: entry.board, on: motherboard).map { script.plans[$0].reuse }
            let equalWaiting = waiting(on: motherboard, for: entry.board).first {
                visits[$0].input == entry.input && !matchedVisits.contains($0)
                    && (visits[$0].standsFor == nil || entry.board == .void && reuse ?? .shared == .shared)
            }
            if let equal, !faults.contains(.equalRestored) {
                matched.insert(equal)
                restore(entry.inside, inside: equal, path: path)
            } else if let equalWaiting {
                matchedVisits.insert(equalWaiting)
                reportInside(entry, path: path)
            } else {
                var visit = 0
                turn { visit = visitBoard(entry.board, with: entry.input, on: motherboard) }
                if isWaiting(visit) { matchedVisits.insert(visit) }
                switch visits[visit].outside {
                case .denied: report(entry, .denied, path: path)
                case .noSuchBoard: report(entry, .noSuchBoard, path: path)
                case .ownerGone: report(entry, .outsideMissing, path: path)
                default:
                    // Another activation may have superseded this one, at the same board.
                    if let board = visits[visit].inside?.board, boards[board].phase == .live {
                        matched.insert(board)
                        restore(entry.inside, inside: board, path: path)
                    } else {
                        reportInside(entry, path: path)
                    }
                }
            }
        }
    }

    private func restore(_ entries: [Fact.Entry], inside board: Int, path: [Name]) {
        if !entries.isEmpty { restore(entries, on: inner(of: board), path: path) }
    }

    private func report(_ entry: Fact.Entry, _ obstacle: BoardSnapshot.Obstacle, path: [Name]) {
        unrestored.append(.unrestored(path, obstacle))
        reportInside(entry, path: path)
    }

    private func reportInside(_ entry: Fact.Entry, path: [Name]) {
        for inside in entry.inside { report(inside, .outsideMissing, path: path + [inside.board]) }
    }
}
