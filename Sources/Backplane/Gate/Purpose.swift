/// The runs that a board acts for.
///
/// A board acts for a run if it is to answer the run. It also acts for a run if a board that acts
/// for the run activated it, directly or through others. An activation that acts for a run skips
/// the gates that the run's gate board decides. Otherwise the gate board would wait for itself.
class Purpose {
    /// Whether the purpose is itself a run, which the board is to answer.
    final let isRun: Bool

    init(isRun: Bool) {
        self.isRun = isRun
    }

    /// The runs in this purpose for which an activation still waits.
    var openRuns: [GateRun] { [] }
}

/// The purpose of a board that acts for runs but answers none.
final class Purposes: Purpose {
    private let runs: [GateRun]

    init?(_ runs: [GateRun]) {
        if runs.isEmpty { return nil }
        self.runs = runs
        super.init(isRun: false)
    }

    override var openRuns: [GateRun] { runs.filter { !$0.isOver } }
}
