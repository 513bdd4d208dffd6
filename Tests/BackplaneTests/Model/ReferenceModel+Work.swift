import Backplane

/// Asynchronous work of boards, and callers that await the end of a wait.
extension ReferenceModel {
    /// B52: Starts work, which replaces the board's earlier work of the same key.
    func start(_ work: Work, as board: Int) {
        if let key = work.key, !faults.contains(.keysIgnored) {
            for index in works.indices where works[index].board == board && works[index].work.key == key {
                works[index].isReplaced = true
            }
        }
        works.append(StartedWork(board: board, activation: boards[board].activation, work: work))
    }

    /// B52: Returns whether the work is cancelled: its activation or its board is over, or it is
    /// replaced.
    func isCancelled(_ work: Int) -> Bool {
        let started = works[work]
        if started.isReplaced || boards[started.board].phase != .live { return true }
        return !started.work.lastsAsBoard && boards[started.board].activation != started.activation
    }

    /// B71: Lets work go on until its end, although it may be cancelled.
    func resume(_ work: Int) {
        if works[work].isOver { return }
        works[work].isOver = true
        let board = works[work].board
        note(.resumed(work: work, isCancelled: isCancelled(work)))
        for step in works[work].work.steps { perform(step, as: board, in: work) }
        // B35: The error of work that is over is ignored.
        guard works[work].work.fails, !isCancelled(work) else { return }
        complete(board, .failed)
    }

    /// Discards work that was cancelled by the entry that started it, because it may never begin.
    func discardUnbegunWork(from first: Int) {
        for work in first..<works.count where isCancelled(work) { works[work].isOver = true }
    }

    /// B51: Callers that await the end of a wait go on after the turn.
    func noteSettled() {
        for handle in awaited where !isWaiting(handles[handle]) {
            let state = state(of: handles[handle])
            if case .denied = state, faults.contains(.settledForgotten) { continue }
            note(.settled(handle: handle, state))
        }
        awaited.removeAll { !isWaiting(handles[$0]) }
    }
}
