/// The way to a board that is on another motherboard than the one on which it is activated.
///
/// A record whose board is elsewhere has one for its only gate. An activation passes it and goes on at the record that it
/// leads to, where the gates in front of the board are.
class Passage: Gate {
    /// The motherboard that it leads to now; nil where the passage has to be opened first.
    var openDestination: Motherboard? { nil }

    /// Whether the passage leads to no other motherboard until `motherboard`, to which it leads now, has ended.
    func leadsNowhereElse(than motherboard: Motherboard) -> Bool { true }

    /// The motherboard to which `entrant`, which has passed, goes on; nil where that has been denied.
    func destination(of entrant: Entrant) -> Motherboard? { openDestination }
}

/// The way out of a nested motherboard to the one that a scope's board belongs to.
final class WayOut: Passage {
    private let scope: AnyRecord

    init(to scope: AnyRecord) {
        self.scope = scope
    }

    override var front: AnyRecord { scope }
    override var openDestination: Motherboard? { scope.standing == .orphaned ? nil : scope.motherboard }
}

/// The way into a scope: leads to the motherboard inside of its live board, and has the scope entered where it is not live.
final class Placement: Passage {
    /// The scope's record on the motherboard on which the placement was declared.
    private let scope: AnyRecord

    init(inside scope: AnyRecord) {
        self.scope = scope
    }

    override var front: AnyRecord { scope }
    override var openDestination: Motherboard? { scope.liveScope?.inside }

    override func leadsNowhereElse(than motherboard: Motherboard) -> Bool {
        var level = motherboard
        while level !== scope.motherboard, let host = level.host, let parent = level.parent {
            // Of a board that nothing makes a scope, several may be live.
            if !host.isScope { return false }
            level = parent
        }
        return true
    }

    override func ask(for entrant: Entrant) -> Answer {
        if let core = scope.liveScope {
            entrant.scope = core
            return .passes
        }
        // What was looked up may have called back.
        guard entrant.canProceed() else { return .waits }
        entrant.beginWaiting(at: scope)
        guard entrant.canProceed() else { return .waits }
        if let run = scope.sharedRun ?? scope.turns.run(entering: scope.home) {
            if let circle = run.circle(closedBy: entrant) {
                entrant.deny(by: scope, .circle(circle))
            } else {
                run.add(entrant, by: self)
            }
            return .waits
        }
        if let circle = entrant.circle(closedAt: scope) {
            entrant.deny(by: scope, .circle(circle))
            return .waits
        }
        let run = GateRun(at: scope, for: entrant, by: self, kind: .scope)
        scope.sharedRun = run
        run.add(entrant, by: self)
        scope.turns.derive { scope.beginEntering(for: run) }
        return .waits
    }

    override func destination(of entrant: Entrant) -> Motherboard? {
        guard let core = entrant.scope else { return nil }
        if core.isLive { return core.inside }
        entrant.deny(by: scope, core.ending.map(Denial.Reason.completed) ?? .ownerGone)
        return nil
    }

    /// Whether `motherboard`, or one between it and `outer`, is inside of the scope.
    func isAround(_ motherboard: Motherboard, within outer: Motherboard) -> Bool {
        var level = motherboard
        while level !== outer {
            if level.host?.name == scope.name { return true }
            guard let parent = level.parent else { return false }
            level = parent
        }
        return false
    }

    /// Whether the board inside of which `motherboard` is is the scope.
    func leads(to motherboard: Motherboard) -> Bool { motherboard.host?.name == scope.name }

    /// The scopes around this one, as far as they are declared on the same motherboard.
    var scopes: [AnyRecord] { [scope] + (scope.ownPlacement?.scopes ?? []) }
}
