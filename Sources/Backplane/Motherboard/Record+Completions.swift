extension Record {
    /// Delivers the end of a board.
    func deliver(_ completion: Completion, from core: SlotCore<Contract>) {
        raise(.completed, of: core, isDerived: core.isEndDerived, payload: completion) { "Completed: \(completion)." }
        if turns.typedObserverCount > 0 { noticeCompletion(completion) }
        let isHeard = isHeard(completion, of: core)
        if case .cancelled = completion, standing != .open {
            // The activations that wait learn that the motherboard ended, not that the board gave up.
            core.openRun?.denyAll(.ownerGone)
            core.listener?.finish(atEndOf: self)
        } else {
            core.openRun?.denyAll(.completed(completion))
            core.listener?.finish(with: completion)
        }
        if !core.isPrivate, extras != nil { fireCompletionFlows(completion, of: core) }
        if !isHeard {
            raise(.unhandledFailure, of: core, isDerived: true) {
                "The board failed and nothing heard it; register a completion flow for '\(id)'."
            }
        }
    }

    @inline(never)
    private func fireCompletionFlows(_ completion: Completion, of core: SlotCore<Contract>) {
        guard let extras, !extras.completionFlows.isEmpty else { return }
        let wasDeriving = turns.isDeriving
        turns.isDeriving = !isBoardsOwn
        extras.completionFlows.fire(EndedActivation(core: core, completion: completion), from: self)
        turns.isDeriving = wasDeriving
    }

    /// Whether a completion is none that somebody must hear, or is heard.
    private func isHeard(_ completion: Completion, of core: SlotCore<Contract>) -> Bool {
        guard turns.observerCount > 0, case .failed = completion else { return true }
        if core.listener != nil || core.openRun != nil { return true }
        return !core.isPrivate && extras?.completionFlows.all.contains(where: \.isHeard) ?? false
    }
}
