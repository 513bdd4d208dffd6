extension BoardEntry {
    /// Delivers the completion of a board.
    func deliver(_ completion: Completion, from liveBoard: LiveBoard<Contract>) {
        raise(.completed, of: liveBoard, isDerived: liveBoard.isEndDerived, payload: completion) {
            "Completed: \(completion)."
        }
        if scheduler.typedObserverCount > 0 { noticeCompletion(completion) }
        let isHeard = isHeard(completion, of: liveBoard)
        if case .cancelled = completion, standing != .open {
            // Waiting activations learn that the motherboard ended, not that the board gave up.
            liveBoard.openRun?.denyAll(.ownerGone)
            liveBoard.listener?.finish(atEndOf: self)
        } else {
            liveBoard.openRun?.denyAll(.completed(completion))
            liveBoard.listener?.finish(with: completion)
        }
        if !liveBoard.isPrivate, extras != nil { fireCompletionFlows(completion, of: liveBoard) }
        if !isHeard {
            raise(.unhandledFailure, of: liveBoard, isDerived: true) {
                "The board failed, and nothing handled the failure; register a completion flow for '\(id)'."
            }
        }
    }

    @inline(never)
    private func fireCompletionFlows(_ completion: Completion, of liveBoard: LiveBoard<Contract>) {
        guard let extras, !extras.completionFlows.isEmpty else { return }
        let wasHandlingFlow = scheduler.isHandlingFlow
        scheduler.isHandlingFlow = !isBoardsOwn
        extras.completionFlows.fire(EndedActivation(liveBoard: liveBoard, completion: completion), from: self)
        scheduler.isHandlingFlow = wasHandlingFlow
    }

    /// Whether the completion has a handler or needs none.
    private func isHeard(_ completion: Completion, of liveBoard: LiveBoard<Contract>) -> Bool {
        guard scheduler.observerCount > 0, case .failed = completion else { return true }
        if liveBoard.listener != nil || liveBoard.openRun != nil { return true }
        return !liveBoard.isPrivate && extras?.completionFlows.all.contains(where: \.isHeard) ?? false
    }
}
