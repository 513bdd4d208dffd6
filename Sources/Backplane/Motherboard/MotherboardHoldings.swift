import BackplaneConcurrency

/// Everything that a motherboard holds and that its owner must release.
///
/// It outlives its motherboard if another thread releases the motherboard: see
/// ``OwnerHandover``. That thread may also release this object last, so ``dismantle()`` leaves it
/// empty.
final class MotherboardHoldings {
    /// The flows, links and observers, which are only kept until they are released.
    typealias Handlers = (
        [DenialFlow], ((AnyBoardID, Motherboard) -> Void)?, LinkRouter<LinkTarget>, [Observer]
    )

    private let level: Level
    private var bindings: LifetimeBindings?
    private var contributionLists: [Contributions]
    private var observerCount: Int
    private var handlers: Handlers?

    init(
        of level: Level,
        bindings: LifetimeBindings?,
        contributionLists: [Contributions],
        observerCount: Int,
        handlers: Handlers
    ) {
        self.level = level
        self.bindings = bindings
        self.contributionLists = contributionLists
        self.observerCount = observerCount
        self.handlers = handlers
    }

    /// Takes apart what a released motherboard held.
    ///
    /// Everything is marked as orphaned first and released later, because the `deinit` of a board
    /// may call back.
    func orphan(denyingAll: Bool) {
        level.markOrphaned()
        if denyingAll { level.scheduler.denyAll() }
        dismantle()
        // Entries refer to their level.
        level.entries.removeAll()
    }

    /// Releases boards, flows and handlers without running a handler.
    func dismantle() {
        let scheduler = level.scheduler
        scheduler.observerCount -= observerCount
        observerCount = 0
        let bindings = bindings.take()
        bindings?.cut()
        let lists = contributionLists
        contributionLists = []
        scheduler.withdraw(lists)
        // Moved out first, and released when nothing can be found here any longer.
        let handlers = handlers.take()
        level.dismantle()
        drop(handlers)
    }
}
