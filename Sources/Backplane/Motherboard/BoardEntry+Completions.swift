extension BoardEntry {
    func addCompletion(_ flow: Flow<EndedActivation<Contract>>) { needExtras().completionFlows.append(flow) }

    /// Delivers the completion of a board.
    func deliver(_ completion: Completion, from liveBoard: LiveBoard<Contract>) {
        raise(.completed, of: liveBoard, isDerived: liveBoard.isEndDerived, payload: completion) {
            "Completed: \(completion)."
        }
        if scheduler.typedObserverCount > 0 { noticeCompletion(completion) }
        if isNested { resolveForDelivery() }
        let isHeard = isHeard(completion, of: liveBoard)
        if case .cancelled = completion, standing != .open {
            // Waiting activations learn that the motherboard ended, not that the board gave up.
            liveBoard.denyOpenRun(.ownerGone)
            liveBoard.listener?.finish(atEndOf: self)
        } else {
            liveBoard.denyOpenRun(.completed(completion))
            liveBoard.listener?.finish(with: completion)
        }
        if !liveBoard.isPrivate, extras != nil { fireCompletionFlows(completion, of: liveBoard) }
        if !isHeard {
            raise(.unhandledFailure, of: liveBoard, isDerived: true, isProblem: true) {
                "The board failed, and nothing handled the failure; register a completion flow for "
                    + "'\(id)'\(location)."
            }
        }
    }

    @inline(never)
    private func fireCompletionFlows(_ completion: Completion, of liveBoard: LiveBoard<Contract>) {
        guard let extras, hasOutside || !extras.completionFlows.isEmpty else { return }
        let ended = EndedActivation(liveBoard: liveBoard, completion: completion)
        scheduler.handleFlow(!isBoardsOwn) { extras.completionFlows.fire(ended, from: self) }
        for entry in extras.outside {
            scheduler.handleFlow(!entry.isBoardsOwn) { entry.extras?.completionFlows.fire(ended, from: entry) }
        }
    }

    /// Whether the completion has a handler or needs none.
    private func isHeard(_ completion: Completion, of liveBoard: LiveBoard<Contract>) -> Bool {
        guard scheduler.hearsProblems, case .failed = completion else { return true }
        if liveBoard.listener != nil || liveBoard.openRun != nil { return true }
        guard !liveBoard.isPrivate, let extras else { return false }
        return ([self] + extras.outside).contains { $0.extras?.completionFlows.all.contains(where: \.isHeard) ?? false }
    }
}
