import BackplaneConcurrency

/// The rule by which an output of the entrance activates a scope's board.
///
/// For an activation that waits for the scope, this rule is a gate. It opens on an output from
/// which the scope's input can be made, and it gives that input to the waiting activation. Without
/// a waiting activation, such an output enters the scope too. If the scope is then already live,
/// the output enters it only if the scope is switching.
final class Entrance<EntranceContract: BoardContract, Scope: BoardContract>: Gate<EntranceContract> {
    private let scope: BoardEntry<Scope>
    private let input: (EntranceContract.Output) -> Scope.Input?
    /// Whether an output enters the scope even while the scope is live.
    private let isSwitching: Bool
    /// The scope's input from the output that was delivered last.
    private var arrival: Arrival<Scope>?

    init(
        into scope: BoardEntry<Scope>,
        by gateBoard: BoardEntry<EntranceContract>,
        asking question: EntranceContract.Input,
        isSwitching: Bool,
        _ input: @escaping (EntranceContract.Output) -> Scope.Input?
    ) {
        self.scope = scope
        self.input = input
        self.isSwitching = isSwitching
        super.init(by: gateBoard, asking: question, { _, ask in ask(question) }, verdict: { _ in .undecided })
    }

    override var isEntrance: Bool { true }

    /// Whether the scope is inside another scope.
    var isElsewhere: Bool { scope.route != nil }

    /// Makes the scope's input from an output and queues it.
    ///
    /// The queue delivers the input after all flows, so everything that the flows set up is ready.
    func receive(_ output: EntranceContract.Output) {
        arrival = input(output).map { Arrival($0, at: scope, isSwitching: isSwitching) }
        if let arrival { scope.scheduler.enqueue(arrival) }
    }

    override func judge(_ output: EntranceContract.Output, for waiter: AnyGateWaiter) -> GateVerdict {
        guard let arrival, let input = arrival.take() else { return .undecided }
        uncheckedDowncast(waiter, to: GateWaiter<Scope>.self).take(input, of: arrival)
        return .open
    }
}

/// A flow that passes the outputs of an entrance to the scope's rule.
final class EntranceFlow<EntranceContract: BoardContract, Scope: BoardContract>: Flow<EntranceContract.Output> {
    private let entrance: Entrance<EntranceContract, Scope>
    private let scope: AnyBoardID

    init(_ entrance: Entrance<EntranceContract, Scope>, to scope: AnyBoardID) {
        self.entrance = entrance
        self.scope = scope
    }

    override var leadsTo: [AnyBoardID] { [scope] }
    override var edgeKind: BoardGraph.Edge.Kind { .entrance }
    // A scope that is inside has an entrance flow there.
    override var crosses: Bool { !entrance.isElsewhere }

    override func fire(_ message: EntranceContract.Output, from entry: AnyBoardEntry) {
        entrance.receive(message)
    }
}

/// An input for a scope, made from an output of the entrance.
class AnyArrival: Delivery {
    /// Returns whether the input enters the scope now; raises an event if not.
    ///
    /// Gates may have been asked meanwhile.
    func enters() -> Bool { true }
    /// Discards the input, because nothing enters the scope with it any longer.
    func drop() {}
}

/// An ``AnyArrival`` with its input.
///
/// The queue delivers it. Then it replaces an earlier one that waits at a gate in front
/// of the scope, or it activates the scope, unless a waiting activation has taken it.
private final class Arrival<Scope: BoardContract>: AnyArrival {
    /// The input, until the delivery; later, only the activation that enters has it.
    private var input: Scope.Input?
    private let scope: BoardEntry<Scope>
    private let isSwitching: Bool
    private let number: UInt64
    /// Whether a waiting activation has taken the input.
    private var isTaken = false
    /// Whether the input has entered the scope or was discarded.
    private var isOver = false

    init(_ input: Scope.Input, at scope: BoardEntry<Scope>, isSwitching: Bool) {
        self.input = input
        self.scope = scope
        self.isSwitching = isSwitching
        number = scope.scheduler.nextGeneration()
    }

    /// Returns the input for a waiting activation, unless a later one has been taken.
    ///
    /// Such an output is not queued again, so it may overtake others.
    func take() -> Scope.Input? {
        guard let input, isLatest() else { return nil }
        isTaken = true
        return input
    }

    private func isLatest() -> Bool {
        let extras = scope.needExtras()
        if number >= extras.lastArrival {
            extras.lastArrival = number
            return true
        }
        dropForLater()
        return false
    }

    override func enters() -> Bool {
        if isOver || !mayEnter() { return false }
        isOver = true
        return true
    }

    private func mayEnter() -> Bool {
        guard isLatest() else { return false }
        if isSwitching || scope.liveScope == nil { return true }
        drop(
            "The entrance sent an output while the scope '\(scope.anyID)' was live, and the output was discarded. "
                + "Register the scope with `switching: true` if its entrance may replace the live one."
        )
        return false
    }

    override func drop() {
        drop(
            "The scope '\(scope.anyID)' was entered in another way, or the activations that waited for it gave up, so an "
                + "output of the entrance was discarded."
        )
    }

    private func dropForLater() {
        drop(
            "The entrance of the scope '\(scope.anyID)' has sent a later output, so this one was discarded. Send one output "
                + "each time the entrance is activated."
        )
    }

    private func drop(_ message: @autoclosure () -> String) {
        if isOver { return }
        isOver = true
        scope.raise(.droppedEntrance, isDerived: true, isProblem: true, message)
    }

    override func deliver() {
        guard let input = input.take(), isLatest(), scope.standing == .open, isTaken || mayEnter() else { return }
        scope.scheduler.handleFlow {
            replaceEarlier(with: input)
            if !isTaken { _ = scope.activate(with: input, as: self) }
        }
    }

    /// Replaces earlier inputs, for which the scope's gates were asked in vain.
    private func replaceEarlier(with input: Scope.Input) {
        for waiter in scope.scheduler.waiting {
            guard let earlier = waiter.arrival as? Self, earlier !== self, earlier.scope === scope else { continue }
            earlier.dropForLater()
            if isTaken, waiter.asker == 0 {
                waiter.giveUp()
            } else if waiter.canProceed() {
                isTaken = true
                uncheckedDowncast(waiter, to: GateWaiter<Scope>.self).take(input, of: self)
                // A scope around this one is entered regardless of the input.
                if waiter.entry?.route == nil { waiter.askAgain() }
            }
        }
    }
}
