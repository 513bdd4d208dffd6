import BackplaneConcurrency

/// The delivery queue of one tree of motherboards: one delivery at a time, first in, first out.
///
/// The first call into the tree opens a turn, and empties the queue before it returns. Calls in
/// between, however deep, find the turn open and only add to the queue. So cycles of outputs do not
/// grow the stack, and no delivery starts in the middle of another.
final class TurnScheduler {
    // Unowned: the owner holds the motherboard, so the motherboard must not hold the owner.
    unowned let owner: any Actor
    private let ownerCheck: OwnerCheck
    /// The way back to the owner for objects that another thread releases.
    let handover: OwnerHandover
    let budget: Int

    /// The version of the registrations and gates in the whole tree.
    ///
    /// It changes with each registration and each gate. Entries compare it to know when they may
    /// have to resolve again: see ``hasRegistryChanged(since:atDepth:)``.
    private(set) var registryVersion: UInt32 = 1
    /// The changes of registrations and gates after which nothing changed at the same depth or
    /// nearer to the root, in their order.
    ///
    /// The first one stands for the beginning, which each new entry has not seen.
    private var registryChanges: [(version: UInt32, depth: Int)] = [(1, 0)]
    /// The number of observers in the tree.
    ///
    /// If it is zero, an event costs only the check of this number.
    var observerCount = 0
    /// The number of observers that observe one ID with its types.
    var typedObserverCount = 0
    #if DEBUG
        /// Whether problems are printed while the tree has no observer.
        let printsProblems: Bool
        private var hasPrinted = false
        /// Whether the system releases dismissed controllers, and what they hold; iOS 17.0 and 17.1
        /// do not.
        var releasesScreens = if #available(iOS 17.2, *) { true } else { false }
    #else
        var printsProblems: Bool { false }
    #endif
    /// Whether an observer or standard error receives the events that report problems.
    var hearsProblems: Bool { observerCount > 0 || printsProblems }

    /// Whether a flow or a gate causes the current effects, rather than a board or an outside call.
    private(set) var isHandlingFlow = false
    /// The purpose of the flows that are running.
    private(set) var purpose: Purpose?

    /// Activations waiting at gates in the whole tree, in the order they started to wait.
    private(set) var waiting: [AnyGateWaiter] = []
    /// The number of changes of the purposes of boards that may contain boards.
    var purposeVersion: UInt64 = 1
    /// The open questions of gates in the whole tree.
    let gates = GateStateMachine<AnyGateWaiter, AnyLiveBoard>()

    /// Whether any board in the tree is a scope.
    var hasScopes = false
    /// The names of boards that keep the input of their first activation, for boards inside them.
    var keptInputs: Set<String> = []

    /// The contribution points that have been read, by name.
    var points: [String: Changes] = [:]

    private(set) var isOpen = false
    // Unchecked, because the check takes a sixth of the instructions of a queued message and of a
    // board's whole life. A list of the deliveries themselves needs no check, but takes an eighth
    // more time for its references, and 16 bytes of each board. The queue calls no other code, and
    // releases nothing: deliveries are moved in and out.
    @exclusivity(unchecked) private var queue = Queue<Delivery>()
    private var deliveries = 0
    private var overspent: [AnyBoardID] = []
    private var lastGeneration: UInt64 = 0

    /// Work that starts when the outermost turn ends; `nil` if work starts after a hop.
    private var starts: [(_ immediately: Bool) -> Void]?
    private var isStarting = false

    private let clock: any Clock<Duration>

    init(owner: any Actor, budget: Int, clock: any Clock<Duration>, printsProblems: Bool) {
        self.owner = owner
        #if DEBUG
            self.printsProblems = printsProblems
        #endif
        self.clock = clock
        ownerCheck = OwnerCheck(owner)
        handover = OwnerHandover(to: owner)
        self.budget = budget
    }

    /// Returns a number for an activation, larger than all earlier numbers in the tree.
    func nextGeneration() -> UInt64 {
        lastGeneration += 1
        return lastGeneration
    }

    /// Notes a change of the registrations or gates of a motherboard.
    func registryChanged(atDepth depth: Int) {
        registryVersion += 1
        // Moved out and back, for the reason given in `BoardTable.find(_:orAdd:)`.
        var changes = registryChanges
        registryChanges = []
        while let last = changes.last, last.depth >= depth { changes.removeLast() }
        changes.append((registryVersion, depth))
        registryChanges = changes
    }

    /// Returns whether registrations or gates changed after `version`, at a depth or nearer to the
    /// root.
    ///
    /// A motherboard is affected only by its own changes and those of its ancestors. So boards that
    /// register boards inside each other do not each ask all boards around them.
    func hasRegistryChanged(since version: UInt32, atDepth depth: Int) -> Bool {
        registryChanges.last { $0.depth <= depth }.map { $0.version > version } ?? false
    }

    /// Runs `body` in the open turn, or in a new turn whose queue is emptied before this returns.
    func turn<Result>(_ body: () -> Result) -> Result {
        guard openTurn() else { return body() }
        defer { closeTurn() }
        return body()
    }

    /// Runs `body` inside a turn, then starts the work of task boards that began in it.
    ///
    /// Use it for callers that wait for the work next: otherwise the work starts one hop later. The
    /// hop remains in three cases:
    ///
    /// - A turn is open. The work would run in the middle of that turn.
    /// - Such work is already being started. The stack would grow with each board that activates
    ///   another.
    /// - The system cannot start a task immediately.
    func turnStartingWork<Result>(_ body: () -> Result) -> Result {
        guard !isOpen, !isStarting, canStartImmediately else { return turn(body) }
        starts = []
        let result = turn(body)
        let begun = starts ?? []
        starts = nil
        isStarting = true
        for start in begun { start(true) }
        isStarting = false
        return result
    }

    /// Starts the work of a task board, after a hop or when the outermost turn ends.
    func begin(_ start: @escaping (_ immediately: Bool) -> Void) {
        if starts == nil { start(false) } else { starts?.append(start) }
    }

    /// Runs code of flows and gates, so that events distinguish it from code of boards.
    ///
    /// Inlined like ``acting(asFlow:for:_:)``, because a closure on the path of messages costs more
    /// than the rest.
    @inline(__always)
    func handleFlow<Result>(_ isFlow: Bool = true, _ body: () -> Result) -> Result {
        let before = isHandlingFlow
        isHandlingFlow = isFlow
        let result = body()
        isHandlingFlow = before
        return result
    }

    /// Runs code of boards or flows with its own purpose.
    ///
    /// - Parameters:
    ///   - isFlow: whether it is code of flows.
    ///   - purpose: the purpose of the flows; boards have their own.
    ///   - body: the code.
    /// - Returns: the result of the code.
    @inline(__always)
    func acting<Result>(asFlow isFlow: Bool, for purpose: Purpose?, _ body: () -> Result) -> Result {
        let before = self.purpose
        if before !== purpose { self.purpose = purpose }
        let result = handleFlow(isFlow, body)
        if before !== purpose { self.purpose = before }
        return result
    }

    // MARK: Gates

    // The list is moved out and back: see `GateStateMachine.runs`.

    func addWaiting(_ waiter: AnyGateWaiter) {
        var waiting = waiting
        self.waiting = []
        waiting.append(waiter)
        self.waiting = waiting
    }

    func removeWaiting(_ waiter: AnyGateWaiter) {
        guard let position = waiting.firstIndex(where: { $0 === waiter }) else { return }
        var waiting = waiting
        self.waiting = []
        waiting.remove(at: position)
        self.waiting = waiting
    }

    // MARK: The owner

    /// The message of a trap off the owner, with a cause that the code does not show.
    private static var offOwner: String {
        """
        A motherboard was used off the actor it belongs to. If this is in an async closure with a capture list, remove \
        the list: see the article "On your own actor".
        """
    }

    /// Traps off the owner: in debug builds at every entry point, in release builds only where a
    /// turn is opened.
    @inline(__always)
    func checkOwner() {
        #if DEBUG
            ownerCheck.preconditionIsolated(Self.offOwner)
        #endif
    }

    /// Prints an event that reports a problem, because nothing observes the tree.
    func printProblem(_ event: BoardEvent) {
        #if DEBUG
            let hint =
                hasPrinted
                ? "" : " (Printed, because nothing observes this motherboard; printsProblems: false turns it off.)"
            hasPrinted = true
            ProblemOutput.write("Backplane: \(event)\(hint)")
        #endif
    }

    /// Raises ``BoardEvent/Kind/leaked`` if `board`, which has ended, still exists one second
    /// later.
    func watch(_ board: AnyObject, of liveBoard: AnyLiveBoard) {
        let isThere = { [weak board] in board != nil }
        // A board that is still alive holds its slot, and the slot holds the live board.
        OwnerCall(on: owner) { [weak liveBoard] in
            guard isThere(), let liveBoard else { return }
            liveBoard.untypedEntry.raise(.leaked, of: liveBoard, isDerived: false) {
                """
                The board ended a second ago but still exists; look for closures and delegates that hold it strongly.
                """
            }
        }(after: .seconds(1), clock: clock)
    }

    /// Opens a turn and returns `true`, or returns `false` if a turn is open.
    ///
    /// After `true` the caller must call ``closeTurn()``. A new turn has an empty queue, so
    /// the first message may be delivered without the queue.
    func openTurn() -> Bool {
        if isOpen {
            checkOwner()
            return false
        }
        isOpen = true
        ownerCheck.preconditionIsolated(Self.offOwner)
        return true
    }

    func closeTurn() {
        if queue.count > 0 { drain() }
        isOpen = false
    }

    func enqueue(_ delivery: Delivery) { queue.append(delivery) }

    private func drain() {
        deliveries = 0
        while let delivery = queue.popFirst() {
            deliveries += 1
            if deliveries > budget { noteOverspending(by: delivery) }
            delivery.deliver()
        }
    }

    /// The number of deliveries, or turns, past the budget that are examined to name the boards in
    /// a cycle.
    private static let sampleSize = 64

    private func noteOverspending(by delivery: Delivery) {
        guard let names = namesAtBudget(deliveries, delivery.sender) else { return }
        delivery.raise(.turnBudgetExceeded) {
            """
            One turn has made \(deliveries) deliveries and continues; the last ones came from: \(names). If these \
            boards respond to each other forever, break the cycle. If the work is meant to be this long, increase \
            turnBudget.
            """
        }
    }

    /// Raises ``BoardEvent/Kind/turnBudgetExceeded`` if too many turns follow from one another.
    ///
    /// - Parameters:
    ///   - depth: the number of pieces of work in a row, each of which was started in a turn that
    ///     the one before opened.
    ///   - liveBoard: the board that starts the last one.
    func noteWork(atDepth depth: Int, of liveBoard: AnyLiveBoard) {
        guard depth > budget, let names = namesAtBudget(depth, liveBoard.sender) else { return }
        liveBoard.raise(.turnBudgetExceeded) {
            """
            \(depth) turns have followed from one another, each from the work of a board, and they continue; the last \
            work was started by: \(names). If these boards start each other forever, break the cycle. If they are \
            meant to, increase turnBudget.
            """
        }
    }

    /// Returns the names of the boards in a cycle once, after enough boards past the budget.
    private func namesAtBudget(_ count: Int, _ sender: AnyBoardID?) -> String? {
        guard count <= budget + Self.sampleSize else { return nil }
        if count == budget + 1 { overspent = [] }
        if let sender, !overspent.contains(sender) { overspent.append(sender) }
        return count == budget + Self.sampleSize ? overspent.map(\.name).joined(separator: ", ") : nil
    }
}

/// An item of the delivery queue.
class Delivery {
    /// The board that caused the delivery; `nil` if no board did.
    var sender: AnyBoardID? { nil }
    func deliver() {}
    func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {}
}

/// A call that is queued behind the outputs that were already sent.
final class QueuedCall: Delivery {
    private let call: () -> Void

    init(_ call: @escaping () -> Void) {
        self.call = call
    }

    override func deliver() { call() }
}
