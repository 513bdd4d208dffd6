/// The way to a board that is on another motherboard than the one on which it is activated.
///
/// A entry whose board is elsewhere has one for its only gate. An activation passes it and goes on at the entry that it
/// leads to, where the gates in front of the board are.
class BoardRoute: Gate {
    /// The motherboard that it leads to now; nil where the route has to be opened first.
    var openDestination: Motherboard? { nil }

    /// Whether the route leads to no other motherboard until `motherboard`, to which it leads now, has ended.
    func leadsNowhereElse(than motherboard: Motherboard) -> Bool { true }

    /// The motherboard to which `waiter`, which has passed, goes on; nil where that has been denied.
    func destination(of waiter: GateWaiter) -> Motherboard? { openDestination }
}

/// The way out of a nested motherboard to the one that a scope's board belongs to.
final class OutwardRoute: BoardRoute {
    private let scope: AnyBoardEntry

    init(to scope: AnyBoardEntry) {
        self.scope = scope
    }

    override var gateBoard: AnyBoardEntry { scope }
    override var openDestination: Motherboard? { scope.standing == .orphaned ? nil : scope.motherboard }
}

/// The way into a scope: leads to the motherboard inside of its live board, and has the scope entered where it is not live.
final class InwardRoute: BoardRoute {
    /// The scope's entry on the motherboard on which the route was declared.
    private let scope: AnyBoardEntry

    init(inside scope: AnyBoardEntry) {
        self.scope = scope
    }

    override var gateBoard: AnyBoardEntry { scope }
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

    override func ask(for waiter: GateWaiter) -> Answer {
        if let liveBoard = scope.liveScope {
            waiter.scope = liveBoard
            return .passes
        }
        // What was looked up may have called back.
        guard waiter.canProceed() else { return .waits }
        waiter.beginWaiting(at: scope)
        guard waiter.canProceed() else { return .waits }
        if let run = scope.sharedRun ?? scope.scheduler.run(entering: scope.home) {
            if let circle = run.circle(closedBy: waiter) {
                waiter.deny(by: scope, .circle(circle))
            } else {
                run.add(waiter, by: self)
            }
            return .waits
        }
        if let circle = waiter.circle(closedAt: scope) {
            waiter.deny(by: scope, .circle(circle))
            return .waits
        }
        let run = GateRun(at: scope, for: waiter, by: self, kind: .scope)
        scope.sharedRun = run
        run.add(waiter, by: self)
        scope.scheduler.handleFlow { scope.beginEntering(for: run) }
        return .waits
    }

    override func destination(of waiter: GateWaiter) -> Motherboard? {
        guard let liveBoard = waiter.scope else { return nil }
        if liveBoard.isLive { return liveBoard.inside }
        waiter.deny(by: scope, liveBoard.ending.map(Denial.Reason.completed) ?? .ownerGone)
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
    var scopes: [AnyBoardEntry] { [scope] + (scope.ownRoute?.scopes ?? []) }
}
