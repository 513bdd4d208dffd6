import BackplaneConcurrency

/// The order of things in one tree of motherboards: one delivery at a time, first in, first out.
///
/// The first call into the tree opens a turn, and empties the queue before it returns; calls made meanwhile, however
/// deep, find the turn open and only add to the queue. So cycles of outputs do not grow the stack, and no delivery begins in the
/// middle of another.
final class TurnScheduler {
    // Unowned: the owner holds the motherboard, so the motherboard must not hold the owner.
    unowned let owner: any Actor
    private let ownerCheck: OwnerCheck
    let budget: Int

    /// Changes whenever a registration or a gate anywhere in the tree does; entries compare it to know what to look up again.
    private(set) var registryVersion: UInt32 = 1
    /// The number of observers in the tree: the one branch that is taken when there are none.
    var observerCount = 0
    /// The number of those that observe one ID with its types.
    var typedObserverCount = 0

    /// Whether what happens now is brought about by a flow or a gate, rather than by a board or from outside.
    var isHandlingFlow = false
    /// The purpose of the flows that are being fired.
    var purpose: Purpose?

    /// The activations that wait at gates anywhere in the tree, in the order in which they began to.
    var waiting: [GateWaiter] = []
    /// The questions to gates that are open anywhere in the tree, in the order in which they were asked.
    private(set) var runs: [GateRun] = []
    /// Whether there are any; apart from them, because reading it is a plain load.
    private(set) var hasRuns = false

    /// The contribution points that somebody has read, by name.
    var points: [String: PointChanges] = [:]

    private(set) var isOpen = false
    private var queue = Queue<Delivery>()
    /// How many are in the queue; apart from it, because reading it is a plain load.
    private var pending = 0
    private var deliveries = 0
    private var overspent: [AnyBoardID] = []
    private var lastGeneration: UInt64 = 0

    /// Work that begins when the outermost turn is over; nil where it begins after a hop.
    private var starts: [any LineMember]?
    private var isStarting = false

    private let clock: any Clock<Duration>

    init(owner: any Actor, budget: Int, clock: any Clock<Duration>) {
        self.owner = owner
        self.clock = clock
        ownerCheck = OwnerCheck(owner)
        self.budget = budget
    }

    /// A number for an activation, larger than all before it in the tree.
    func nextGeneration() -> UInt64 {
        lastGeneration += 1
        return lastGeneration
    }

    func registryChanged() {
        registryVersion += 1
    }

    /// Runs `body` inside a turn: the open one, or one of its own that is emptied before this returns.
    func turn<Result>(_ body: () -> Result) -> Result {
        guard open() else { return body() }
        defer { close() }
        return body()
    }

    /// Runs `body` inside a turn, then starts the work of task boards that it has begun.
    ///
    /// Without this, that work starts one hop later. For callers that wait for the work next. Where
    /// a turn is open the work would run in the middle of it, and inside work that is being started
    /// like this the stack would grow with each board that asks another: there, and where the
    /// system cannot, it takes the hop.
    func turnStartingWork<Result>(_ body: () -> Result) -> Result {
        guard !isOpen, !isStarting, canStartImmediately else { return turn(body) }
        starts = []
        let result = turn(body)
        let begun = starts ?? []
        starts = nil
        isStarting = true
        for member in begun { member.start(immediately: true) }
        isStarting = false
        return result
    }

    /// Has the work of a task board start, after a hop or when the outermost turn is over.
    func begin(_ member: any LineMember) {
        if starts == nil { member.start(immediately: false) } else { starts?.append(member) }
    }

    /// Runs what flows and gates do, so that events tell it from what boards do.
    ///
    /// Where messages travel ``isHandlingFlow`` is set and put back by hand: a closure there costs more than the rest.
    func handleFlow<Result>(_ body: () -> Result) -> Result {
        let before = isHandlingFlow
        isHandlingFlow = true
        defer { isHandlingFlow = before }
        return body()
    }

    // MARK: Gates

    func add(_ run: GateRun) {
        runs.append(run)
        hasRuns = true
    }

    func removeWaiting(_ waiter: GateWaiter) {
        // Moved out; the caller holds it, too.
        if let position = waiting.firstIndex(where: { $0 === waiter }) { _ = waiting.remove(at: position) }
    }

    func forget(_ run: GateRun) {
        // Moved out, and let go of after the modification.
        if let position = runs.firstIndex(where: { $0 === run }) { _ = runs.remove(at: position) }
        hasRuns = !runs.isEmpty
    }

    /// The run that has the scope entered whose board `entry` is to make; nil if there is none.
    ///
    /// It may have begun on a motherboard around, and have come this far.
    func run(entering entry: AnyBoardEntry) -> GateRun? {
        entry.sharedRun ?? runs.first { $0.kind == .scope && $0.boardWaiter?.entry === entry }
    }

    /// Lets everyone in who waits for a scope whose board is `liveBoard`.
    func letInto(_ liveBoard: AnyLiveBoard) {
        for run in runs where run.kind == .scope && liveBoard.isLive && run.gateBoard.liveScope === liveBoard {
            run.open(for: liveBoard)
        }
    }

    /// Denies everything that waits anywhere, when the tree is released.
    func denyAll() {
        for run in runs { run.denyAll(.ownerGone) }
    }

    // MARK: The owner

    /// The message of a trap off the owner, with the cause that nobody finds by looking at the code.
    private static var offOwner: String {
        """
        A motherboard was used off the actor it belongs to. If this is in an async closure with a capture list, leave the \
        list out: see the article "On your own actor".
        """
    }

    /// Traps off the owner: in debug builds at every entry point, in release only where a turn is opened.
    @inline(__always)
    func checkOwner() {
        #if DEBUG
            ownerCheck.preconditionIsolated(Self.offOwner)
        #endif
    }

    /// Raises ``BoardEvent/Kind/leaked`` if `board`, which has ended, is still there a second later.
    func watch(_ board: AnyObject, of liveBoard: AnyLiveBoard) {
        let isThere = { [weak board] in board != nil }
        // Who is still there has its slot, and that the live board.
        OwnerCall(on: owner) { [weak liveBoard] in
            guard isThere(), let liveBoard else { return }
            liveBoard.untypedEntry.raise(.leaked, of: liveBoard, isDerived: false) {
                """
                The board ended a second ago and is still held by something: look for closures and delegates that hold \
                it strongly.
                """
            }
        }(after: .seconds(1), clock: clock)
    }

    /// Opens a turn unless one is open; whoever has opened it must ``close()`` it.
    ///
    /// With a turn that has just been opened nothing is waiting, so a first message may be delivered without being queued.
    func open() -> Bool {
        if isOpen {
            checkOwner()
            return false
        }
        isOpen = true
        ownerCheck.preconditionIsolated(Self.offOwner)
        return true
    }

    func close() {
        if pending > 0 { drain() }
        isOpen = false
    }

    func enqueue(_ delivery: Delivery) {
        pending += 1
        queue.append(delivery)
    }

    private func drain() {
        deliveries = 0
        while let delivery = queue.popFirst() {
            pending -= 1
            deliveries += 1
            if deliveries > budget { noteOverspending(by: delivery) }
            delivery.deliver()
        }
    }

    /// How many deliveries past the budget are looked at, to name the boards that keep each other busy.
    private static let sampleSize = 64

    private func noteOverspending(by delivery: Delivery) {
        guard deliveries <= budget + Self.sampleSize else { return }
        if deliveries == budget + 1 { overspent = [] }
        if let sender = delivery.sender, !overspent.contains(sender) { overspent.append(sender) }
        guard deliveries == budget + Self.sampleSize else { return }
        let names = overspent.map(\.name).joined(separator: ", ")
        delivery.raise(.turnBudgetExceeded) {
            """
            One turn has made \(deliveries) deliveries and goes on; the last ones came from: \(names). If these boards \
            answer each other for ever, break the cycle; if the work is meant to be this long, raise turnBudget.
            """
        }
    }
}

/// Something waiting its turn.
class Delivery {
    /// The board that caused it, unless it was no board.
    var sender: AnyBoardID? { nil }
    func deliver() {}
    func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {}
}
