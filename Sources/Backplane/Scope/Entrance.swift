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
        guard let input = arrival?.take() else { return .undecided }
        downcast(waiter, to: GateWaiter<Scope>.self).take(input)
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
    /// Returns whether the input may enter the scope now; raises an event if not.
    ///
    /// Gates may have been asked meanwhile.
    func mayEnter() -> Bool { true }
}

/// An ``AnyArrival`` with its input, which the queue delivers unless a waiting activation takes it.
private final class Arrival<Scope: BoardContract>: AnyArrival {
    private var input: Scope.Input?
    private let scope: BoardEntry<Scope>
    private let isSwitching: Bool
    private let number: UInt64

    init(_ input: Scope.Input, at scope: BoardEntry<Scope>, isSwitching: Bool) {
        self.input = input
        self.scope = scope
        self.isSwitching = isSwitching
        number = scope.scheduler.nextGeneration()
    }

    /// Takes the input to enter the scope with, unless a later one has been taken.
    ///
    /// An output that a waiting activation takes is not queued again, so it may overtake others.
    func take() -> Scope.Input? {
        guard let input = input.take(), isLatest() else { return nil }
        scope.needExtras().lastArrival = number
        return input
    }

    private func isLatest() -> Bool {
        if number >= scope.needExtras().lastArrival { return true }
        raiseDropped(
            "A later output of the entrance has entered the scope '\(scope.anyID)', so this one was discarded. Send one "
                + "output each time the entrance is activated."
        )
        return false
    }

    override func mayEnter() -> Bool {
        guard isLatest() else { return false }
        if isSwitching || scope.liveScope == nil { return true }
        raiseDropped(
            "The entrance sent an output while the scope '\(scope.anyID)' was live, and the output was discarded. "
                + "Register the scope with `switching: true` if its entrance may replace the live one."
        )
        return false
    }

    private func raiseDropped(_ message: @autoclosure () -> String) {
        scope.raise(.droppedEntrance, isDerived: true, isProblem: true, message)
    }

    override func deliver() {
        guard let input = take(), scope.standing == .open, mayEnter() else { return }
        scope.scheduler.handleFlow { _ = scope.activate(with: input, as: self) }
    }
}
