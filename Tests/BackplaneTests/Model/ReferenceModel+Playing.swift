/// Ways to play a script.
extension ReferenceModel {
    /// Returns the facts that `script` leads to.
    static func journal(of script: Script, with faults: Fault = []) -> [Fact] {
        let model = ReferenceModel(script, faults: faults)
        model.play()
        let restored = ReferenceModel(script.setUp, faults: faults)
        restored.play(restoring: model.snapshot())
        model.note(.snapshot(model.snapshot()))
        model.noteHandles()
        model.dropRoot()
        model.noteHandles()
        return model.journal + restored.journal.compactMap(\.afterRestore)
    }

    /// Returns the runs whose waiters would wait forever after `script`.
    ///
    /// Such a run has no live gate board that answers it, and its gate board does not wait in
    /// another run that can be answered.
    static func hungRuns(after script: Script) -> [Int] {
        let model = ReferenceModel(script, faults: [])
        model.play()
        return model.runs.indices.filter { !model.runs[$0].waiters.isEmpty && !model.canAnswer($0, afterOthers: 0) }
    }

    /// Restores a snapshot on a motherboard that is set up as before.
    private func play(restoring snapshot: [Fact.Entry]) {
        play()
        fuel = Script.fuel
        restore(snapshot, on: 0)
        journal += unrestored
        note(.snapshot(self.snapshot()))
        noteAlive()
    }

    private func play() {
        for entry in script.entries {
            fuel = Script.fuel
            let begun = works.count
            perform(entry.operation, on: entry.motherboard % motherboards.count)
            discardUnbegunWork(from: begun)
            noteSettled()
            noteAlive()
        }
    }

    private func canAnswer(_ run: Int, afterOthers others: Int) -> Bool {
        // A chain that is longer than the number of runs is a cycle.
        if others > runs.count { return false }
        if let board = runs[run].board {
            return boards[board].phase == .live && boards[board].answers == run
        }
        return visits[runs[run].gateBoardVisit].run.map { canAnswer($0, afterOthers: others + 1) } ?? false
    }
}
