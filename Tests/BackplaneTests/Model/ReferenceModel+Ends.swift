@testable import Backplane

/// Lifetimes, and the ends of boards and motherboards.
extension ReferenceModel {
    // MARK: Lifetimes

    func bind(_ lifetime: Int, to board: Int, endsActivation: Bool = false, keepsComponent: Bool = false) {
        guard boards[board].phase == .live else { return }
        if isOver[lifetime] {
            if endsActivation { complete(board, .cancelled) }
            return
        }
        let binding = Binding(
            lifetime: lifetime,
            board: board,
            activation: boards[board].activation,
            endsActivation: endsActivation,
            keepsComponent: keepsComponent
        )
        bindings.append(binding)
    }

    /// B28: Ends a lifetime and cancels the activations that are paired with it.
    ///
    /// A board with a later activation stays live.
    func end(lifetime: Int) {
        if isOver[lifetime] { return }
        isOver[lifetime] = true
        for binding in bindings where binding.lifetime == lifetime && binding.endsActivation {
            if boards[binding.board].activation == binding.activation { complete(binding.board, .cancelled) }
        }
    }

    // MARK: Boards

    func complete(_ board: Int, _ ending: Ending) {
        turn { end(board, ending) }
    }

    func complete(visit: Int, _ ending: Ending) {
        if isWaiting(visit) {
            turn { giveUp(visit) }
        } else if let board = liveBoard(of: visit) {
            complete(board, ending)
        }
    }

    /// B50: Gives up the waits for boards of this ID, then ends these boards.
    func complete(_ name: Name, _ ending: Ending, on motherboard: Int) {
        if motherboards[motherboard].isCompleted { return }
        turn {
            // B56: The boards may be inside a scope.
            let place = self.place(of: name, from: motherboard).motherboard
            let motherboards =
                place == nil || place == motherboard ? [motherboard] : [motherboard, place ?? motherboard]
            let waiting = motherboards.flatMap { self.waiting(on: $0, for: name) }
            let live = place.map { self.live(name, on: $0) } ?? []
            for visit in waiting { giveUp(visit) }
            for board in live { end(board, ending) }
        }
    }

    /// B54: Gives up all waits and ends all boards of this moment, and keeps the motherboard.
    func completeAllBoards(on motherboard: Int) {
        if motherboards[motherboard].isCompleted { return }
        turn {
            let (waiting, live) = (self.waiting(on: motherboard), self.live(on: motherboard))
            for visit in waiting { giveUp(visit) }
            for board in live { end(board, .cancelled) }
        }
    }

    /// B27, B64: Ends the board and everything inside it immediately.
    ///
    /// Its completion is queued behind everything sent before.
    func end(_ board: Int, _ ending: Ending) {
        guard boards[board].phase == .live else { return }
        boards[board].phase = .ended(ending)
        if let inner = boards[board].inner { end(motherboard: inner) }
        queue.append(.ending(ending, of: board))
        notifyOfEnd(board)
    }

    /// B64: Notifies a board that has ended, when it has been made.
    func notifyOfEnd(_ board: Int) {
        guard boards[board].isMade, case .ended(let ending) = boards[board].phase else { return }
        note(.ended(board: board, ending))
        perform(script.plans[boards[board].plan].whenEnded, as: board)
    }

    // MARK: Motherboards

    /// B27, B50: Denies the visits that wait here, then ends the boards.
    func end(motherboard: Int) {
        if motherboards[motherboard].isCompleted { return }
        motherboards[motherboard].isCompleted = true
        for visit in waiting(on: motherboard) { deny(visit, .ownerGone) }
        for board in live(on: motherboard) { end(board, .cancelled) }
        queue.append(.forget(motherboard: motherboard))
    }

    func forget(_ motherboard: Int) {
        motherboards[motherboard].plans = [:]
        motherboards[motherboard].gates = []
        motherboards[motherboard].fallback = nil
        for index in listeners.indices where listeners[index].motherboard == motherboard {
            listeners[index].isRemoved = true
        }
        if motherboard == 0 { isObserved = false }
    }

    /// B27: Releases the root, and runs no handler.
    func dropRoot() {
        for visit in visits.indices where isWaiting(visit) {
            guard let gate = visits[visit].gate else { continue }
            visits[visit].outside = .denied(Denial(of: visits[visit].name.anyID, by: gate.gateBoard.anyID, .ownerGone))
        }
        for board in boards.indices where boards[board].phase == .live { boards[board].phase = .ownerGone }
        note(.rootIsGone(true))
        noteAlive()
    }
}
