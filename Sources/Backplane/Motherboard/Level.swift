import BackplaneConcurrency

/// The part of a motherboard that is reached from inside: where it is in the tree, its entries, its
/// general gates and its handlers of actions.
///
/// Another thread may release the motherboard, so everything inside refers to it weakly. A weak
/// read takes half the time of a message. Levels refer to each other strongly, so a message climbs
/// from one to the next without weak reads. The owner empties a level when its motherboard is gone.
final class Level {
    let scheduler: TurnScheduler
    /// The entry of the board that the motherboard is nested in; `nil` at the root.
    let parentEntry: AnyBoardEntry?
    /// The number of that board; 0 at the root.
    let parentNumber: UInt64
    /// The level of the parent motherboard.
    let outer: Level?
    /// The number of levels around this one.
    let depth: Int
    /// The level of the root motherboard; `nil` at the root.
    private let outermost: Level?
    /// The motherboard; `nil` once its last reference is released.
    weak var motherboard: Motherboard?
    var isCompleted = false
    let entries = BoardTable()
    var generalGates: [GeneralGate] = []
    /// The boards that are scopes of the motherboard.
    var scopes: [AnyBoardEntry] = []
    // Stored by base class: see `uncheckedDowncast`. Only `add` adds elements. An array, because a
    // motherboard handles few action types, and comparing a few is faster than hashing one.
    private var actionFlows: [AnyActionFlows] = []
    private var actionTypes: [ObjectIdentifier] = []

    init(_ scheduler: TurnScheduler, inside liveBoard: AnyLiveBoard? = nil) {
        self.scheduler = scheduler
        parentEntry = liveBoard?.untypedEntry
        parentNumber = liveBoard?.number ?? 0
        outer = parentEntry?.level
        depth = outer.map { $0.depth + 1 } ?? 0
        outermost = outer?.outermost ?? outer
    }

    /// Whether flows here belong to a board: the motherboard is nested in a board that is not a
    /// scope.
    ///
    /// An ``EventLog`` records the effects of such flows as actions of the board, because a
    /// stand-in has no such flows.
    var isBoardsOwn: Bool {
        guard let parentEntry else { return false }
        return !parentEntry.isScope || outer?.isBoardsOwn ?? false
    }

    // MARK: Entries

    func registryChanged() { scheduler.registryChanged(atDepth: depth) }

    /// Returns the nearest entry of a name, from this level up to the root.
    func nearestEntry(named name: String) -> AnyBoardEntry? {
        let hash = BoardTable.hash(name)
        var level: Level? = self
        while let current = level {
            if let entry = current.entries.find(name, hash: hash) { return entry }
            level = current.outer
        }
        return nil
    }

    // MARK: Actions

    // A function that calls itself, and a loop over positions: both save the references that the
    // path of an action would count on each level.

    /// Returns the nearest level that handles actions of a type, from this level up to the root.
    func nearestLevel(handling type: ObjectIdentifier) -> Level? {
        position(of: type) == nil ? outer?.nearestLevel(handling: type) : self
    }

    private func position(of type: ObjectIdentifier) -> Int? {
        for position in 0..<actionTypes.count where actionTypes[position] == type { return position }
        return nil
    }

    func actionFlows<Action: BoardFlowAction>(of type: Action.Type) -> ActionFlows<Action>? {
        guard let position = position(of: ObjectIdentifier(type)) else { return nil }
        return uncheckedDowncast(actionFlows[position], to: ActionFlows<Action>.self)
    }

    func actionFlows(named typeName: String) -> AnyActionFlows? { actionFlows.first { $0.typeName == typeName } }

    func add<Action: BoardFlowAction>(_ flow: ActionFlow<Action>) -> Registration {
        if let flows = actionFlows(of: Action.self) {
            flows.append(flow)
            return Registration(of: flow, in: flows)
        }
        let flows = ActionFlows<Action>()
        flows.append(flow)
        // Assigned anew, for the reason given in `BoardTable.find(_:orAdd:)`.
        actionTypes = actionTypes + [ObjectIdentifier(Action.self)]
        actionFlows = actionFlows + [flows]
        return Registration(of: flow, in: flows)
    }

    // MARK: End

    /// Ends everything here without running a handler, because the motherboard is gone.
    ///
    /// An owner may learn of this late: see ``isThere``.
    func markOrphaned() {
        isCompleted = true
        for entry in entries.all { entry.markOrphaned() }
    }

    /// Whether the root motherboard still exists; if not, everything in the tree is orphaned from
    /// now on.
    var isThere: Bool {
        let root = outermost ?? self
        if root.motherboard != nil { return true }
        root.markOrphaned()
        return false
    }

    /// Releases boards, flows and handlers without running a handler; the entries stay known here.
    func dismantle() {
        // Moved out first, and released when nothing can be found here any longer.
        let handlers = (actionFlows, generalGates)
        actionTypes = []
        actionFlows = []
        generalGates = []
        scopes = []
        for entry in entries.all { entry.dismantle() }
        drop(handlers)
    }
}
