import BackplaneConcurrency

extension Record {
    /// Judges an output for all activations that wait for an answer to `run`.
    func judge(_ output: Contract.Output, _ run: GateRun) {
        // Of a run that this board answers each rule has this board for a front.
        run.judge { gate, entrant in
            downcast(gate, to: TypedGate<Contract>.self).judge(output, from: self, for: entrant)
        }
    }

    /// Whether an activation waits for an answer to this question.
    func isAnswer(to purpose: Purpose?) -> Bool {
        guard let purpose, purpose.isRun else { return false }
        return !downcast(purpose, to: GateRun.self).isOver
    }
}
