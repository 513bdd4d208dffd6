/// A route to a board that is on another motherboard than the one on which it is activated.
///
/// An entry whose board is elsewhere has a route as its only gate. An activation passes the route
/// and continues at the entry to which the route leads. The gates in front of the board are asked
/// there.
class BoardRoute: AnyGate {
    /// The entry of the scope that the route leads into or out of.
    fileprivate let scope: AnyBoardEntry

    init(_ scope: AnyBoardEntry) {
        self.scope = scope
    }

    final override var gateBoard: AnyBoardEntry { scope }
    /// The motherboard to which the route leads now, or `nil` if the route is not open.
    var openDestination: Motherboard? { nil }

    /// Returns whether the route leads only to `motherboard` until that motherboard has ended.
    func leadsNowhereElse(than motherboard: Motherboard) -> Bool { true }

    /// Returns the motherboard on which `waiter` continues, or `nil` if that motherboard has ended.
    func destination(of waiter: AnyGateWaiter) -> Motherboard? { openDestination }
}

/// A route from a nested motherboard out to the motherboard that owns a scope's board.
final class OutwardRoute: BoardRoute {
    override var openDestination: Motherboard? { scope.motherboardIfThere }

    /// The part of a message that names the motherboard of the scope.
    var location: String { openDestination?.location ?? "" }
}

/// A route into a scope, to the nested motherboard of the scope's live board.
///
/// If the scope is not live, the route first has the scope entered.
final class InwardRoute: BoardRoute {
    override var openDestination: Motherboard? { scope.liveScope?.inside }

    override func leadsNowhereElse(than motherboard: Motherboard) -> Bool {
        var level = motherboard
        while level !== scope.motherboard, let parentEntry = level.parentEntry, let parent = level.parent {
            // A board that is not registered as a scope may have several live boards.
            if !parentEntry.isScope { return false }
            level = parent
        }
        return true
    }

    override func ask(for waiter: AnyGateWaiter) -> AskResult {
        if let liveBoard = scope.liveScope {
            waiter.scope = liveBoard
            return .passes
        }
        // Resolving the scope may release earlier registrations, whose captures may call back.
        guard waiter.canProceed() else { return .waits }
        waiter.beginWaiting(at: scope)
        guard waiter.canProceed() else { return .waits }
        let question = GateQuestion(kind: .scope, board: scope.anyID, at: scope)
        let joined = scope.scheduler.run(entering: scope) ?? scope.scheduler.run(entering: scope.home)
        if let run = wait(waiter, for: question, joining: joined) {
            scope.scheduler.handleFlow { scope.beginEntering(for: run) }
        }
        return .waits
    }

    override func destination(of waiter: AnyGateWaiter) -> Motherboard? {
        guard let liveBoard = waiter.scope else { return nil }
        if liveBoard.isLive { return liveBoard.inside }
        waiter.deny(by: scope, liveBoard.ending.map(Denial.Reason.completed) ?? .ownerGone)
        return nil
    }

    /// Returns whether `level`, or one around it below `outer`, is inside the scope.
    func isAround(_ level: Level, within outer: Level? = nil) -> Bool {
        var level = level
        while level !== outer {
            if level.parentEntry?.name == scope.name { return true }
            guard let next = level.outer else { return false }
            level = next
        }
        return false
    }

    /// Returns whether `motherboard` is the nested motherboard of the scope's board.
    func leads(to motherboard: Motherboard) -> Bool { motherboard.parentEntry?.name == scope.name }

    /// This scope and the scopes around it, as far as they are declared on the same motherboard.
    var scopes: [AnyBoardEntry] { [scope] + (scope.ownRoute?.scopes ?? []) }
}
