/// The runs that a board acts for, latest first.
///
/// A board acts for a run if it is to answer the run. It also acts for a run if a board that acts
/// for the run activated it, directly or through others. An activation that acts for a run skips
/// the question of that run. Otherwise the gate board would wait for itself.
///
/// The list never changes, and lists share their ends. It may contain runs that are over.
final class Purpose {
    /// The number of the latest run.
    let run: UInt64
    let rest: Purpose?

    init(_ run: UInt64, then rest: Purpose?) {
        self.run = run
        self.rest = rest
    }

    func contains(where matches: (UInt64) -> Bool) -> Bool {
        var next: Purpose? = self
        while let purpose = next {
            if matches(purpose.run) { return true }
            next = purpose.rest
        }
        return false
    }
}
