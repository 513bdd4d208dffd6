import BackplaneConcurrency

/// The rule that a scope's board is activated with what the entrance's board sends.
///
/// Asked where an activation waits for the scope, it is a gate that opens on an output that the scope's input can be made of, and
/// gives that input to the waiter. An output that nobody has asked for enters the scope, too, unless it is live.
final class Entrance<EntranceContract: BoardContract, Scope: BoardContract>: TypedGate<EntranceContract> {
    private let scope: BoardEntry<Scope>
    private let input: (EntranceContract.Output) -> Scope.Input?
    /// Whether an output enters the scope also while it is live.
    private let isSwitching: Bool
    /// The scope's input from the output that is being delivered, until somebody takes it.
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
        super.init(by: gateBoard, asking: question, { _ in question }, verdict: { _ in .undecided })
    }

    override var isEntrance: Bool { true }

    /// Notes what an output brings; delivered behind all flows, for what they set up is there then.
    func receive(_ output: EntranceContract.Output) {
        arrival = input(output).map { Arrival($0, at: scope, isSwitching: isSwitching) }
        if let arrival { scope.scheduler.enqueue(arrival) }
    }

    override func judge(
        _ output: EntranceContract.Output,
        from entry: AnyBoardEntry,
        for waiter: GateWaiter
    ) -> GateVerdict {
        // Where the gate's board is inside of another scope, its outputs do not come by here.
        guard let input = entry === gateBoard ? arrival?.take() : input(output) else { return .undecided }
        downcast(waiter, to: TypedGateWaiter<Scope>.self).take(input)
        return .open
    }
}

/// The outputs of an entrance's board on their way into the scope.
final class EntranceFlow<EntranceContract: BoardContract, Scope: BoardContract>: Flow<EntranceContract.Output> {
    private let entrance: Entrance<EntranceContract, Scope>
    private let scope: AnyBoardID

    init(_ entrance: Entrance<EntranceContract, Scope>, to scope: AnyBoardID) {
        self.entrance = entrance
        self.scope = scope
    }

    override var leadsTo: [AnyBoardID] { [scope] }
    override var edgeKind: BoardGraph.Edge.Kind { .entrance }

    override func fire(_ message: EntranceContract.Output, from entry: AnyBoardEntry) {
        entrance.receive(message)
    }
}

/// The input of a scope that an entrance has brought.
private final class Arrival<Scope: BoardContract>: Delivery {
    private var input: Scope.Input?
    private let scope: BoardEntry<Scope>
    private let isSwitching: Bool

    init(_ input: Scope.Input, at scope: BoardEntry<Scope>, isSwitching: Bool) {
        self.input = input
        self.scope = scope
        self.isSwitching = isSwitching
    }

    func take() -> Scope.Input? { input.take() }

    override func deliver() {
        guard let input = take(), scope.standing == .open else { return }
        guard isSwitching || scope.liveScope == nil else {
            return scope.raise(.droppedEntrance, isDerived: true) {
                "An entrance answered while the scope '\(scope.anyID)' was live; the answer was dropped. Register the scope "
                    + "with `switching: true` if its entrance may replace it."
            }
        }
        scope.scheduler.handleFlow { _ = scope.activate(with: input) }
    }
}
