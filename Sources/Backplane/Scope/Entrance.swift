import BackplaneConcurrency

/// The rule that a scope's board is activated with what the entrance's board sends.
///
/// Asked where an activation waits for the scope, it is a gate that opens on an output that the scope's input can be made of, and
/// gives that input to the entrant. An output that nobody has asked for enters the scope, too, unless it is live.
final class Entrance<Front: BoardContract, Scope: BoardContract>: TypedGate<Front> {
    private let scope: Record<Scope>
    private let input: (Front.Output) -> Scope.Input?
    /// Whether an output enters the scope also while it is live.
    private let isSwitching: Bool
    /// The scope's input from the output that is being delivered, until somebody takes it.
    private var arrival: Arrival<Scope>?

    init(
        into scope: Record<Scope>,
        by front: Record<Front>,
        asking question: Front.Input,
        isSwitching: Bool,
        _ input: @escaping (Front.Output) -> Scope.Input?
    ) {
        self.scope = scope
        self.input = input
        self.isSwitching = isSwitching
        super.init(by: front, asking: question, { _ in question }, verdict: { _ in .undecided })
    }

    override var isEntrance: Bool { true }

    /// Notes what an output brings; delivered behind all flows, for what they set up is there then.
    func receive(_ output: Front.Output) {
        arrival = input(output).map { Arrival($0, at: scope, isSwitching: isSwitching) }
        if let arrival { scope.turns.enqueue(arrival) }
    }

    override func judge(_ output: Front.Output, from record: AnyRecord, for entrant: Entrant) -> GateVerdict {
        // Where the front's board is inside of another scope, its outputs do not come by here.
        guard let input = record === front ? arrival?.take() : input(output) else { return .undecided }
        downcast(entrant, to: TypedEntrant<Scope>.self).take(input)
        return .open
    }
}

/// The outputs of an entrance's board on their way into the scope.
final class EntranceFlow<Front: BoardContract, Scope: BoardContract>: Flow<Front.Output> {
    private let entrance: Entrance<Front, Scope>
    private let scope: AnyBoardID

    init(_ entrance: Entrance<Front, Scope>, to scope: AnyBoardID) {
        self.entrance = entrance
        self.scope = scope
    }

    override var leadsTo: [AnyBoardID] { [scope] }
    override var edgeKind: BoardGraph.Edge.Kind { .entrance }

    override func fire(_ message: Front.Output, from record: AnyRecord) {
        entrance.receive(message)
    }
}

/// The input of a scope that an entrance has brought.
private final class Arrival<Scope: BoardContract>: Delivery {
    private var input: Scope.Input?
    private let scope: Record<Scope>
    private let isSwitching: Bool

    init(_ input: Scope.Input, at scope: Record<Scope>, isSwitching: Bool) {
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
        scope.turns.derive { _ = scope.activate(with: input) }
    }
}
