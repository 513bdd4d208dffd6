/// The order of things in one tree of motherboards: one delivery at a time, first in, first out.
///
/// The first call into the tree opens a turn, and empties the queue before it returns; calls made meanwhile, however
/// deep, find the turn open and only add to the queue. So cycles of outputs do not grow the stack, and no delivery begins in the
/// middle of another.
final class Turns {
    // Unowned: the owner holds the motherboard, so the motherboard must not hold the owner.
    unowned let owner: any Actor
    let budget: Int

    /// Changes whenever a registration or a gate anywhere in the tree does; records compare it to know what to look up again.
    var registryVersion = 0
    /// How many observers the tree has: the one branch that is taken when nobody observes.
    var observerCount = 0

    private var isOpen = false
    private var head: Delivery?
    private var tail: Delivery?
    private var deliveries = 0
    private var overspent: [AnyBoardID] = []
    private var lastGeneration: UInt64 = 0

    init(owner: any Actor, budget: Int) {
        self.owner = owner
        self.budget = budget
    }

    /// A number for an activation, larger than all before it in the tree.
    func nextGeneration() -> UInt64 {
        lastGeneration += 1
        return lastGeneration
    }

    /// Runs `body` inside a turn: the open one, or one of its own that is emptied before this returns.
    func turn<Result>(_ body: () -> Result) -> Result {
        if isOpen { return body() }
        owner.preconditionIsolated("A motherboard was used off the actor it belongs to.")
        isOpen = true
        deliveries = 0
        defer { drain() }
        return body()
    }

    func enqueue(_ delivery: Delivery) {
        if let tail { tail.next = delivery } else { head = delivery }
        tail = delivery
    }

    private func drain() {
        while let delivery = head {
            head = delivery.next
            if head == nil { tail = nil }
            delivery.next = nil
            deliveries += 1
            if deliveries > budget { noteOverspending(by: delivery) }
            delivery.deliver()
        }
        isOpen = false
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
///
/// It is itself the node of the queue, so that queueing allocates nothing where a node exists already: a board's first
/// pending output travels in its slot.
class Delivery {
    fileprivate(set) final var next: Delivery?

    /// The board that caused it, unless it was no board.
    var sender: AnyBoardID? { nil }
    func deliver() {}
    func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {}
}
