import BackplaneConcurrency

/// A handler for one type of message, registered until it is removed.
class Flow<Message>: AnyFlow {
    /// Handles a message of the board that belongs to `entry`.
    func fire(_ message: Message, from entry: AnyBoardEntry) {}
}

/// A flow whose handler receives the message and the motherboard.
class HandlerFlow<Message>: Flow<Message> {
    private let declared: [AnyBoardID]
    private let kind: BoardGraph.Edge.Kind
    private let handle: (Message, Motherboard) -> Void

    init(
        leadingTo declared: [AnyBoardID] = [],
        kind: BoardGraph.Edge.Kind = .handler,
        _ handle: @escaping (Message, Motherboard) -> Void
    ) {
        self.declared = declared
        self.kind = kind
        self.handle = handle
    }

    override var leadsTo: [AnyBoardID] { declared }
    override var edgeKind: BoardGraph.Edge.Kind { kind }

    override func fire(_ message: Message, from entry: AnyBoardEntry) {
        if let motherboard = entry.motherboardIfThere { handle(message, motherboard) }
    }
}

/// A flow that lives as long as its target.
final class WeakFlow<Message, Target: AnyObject>: Flow<Message> {
    private weak var target: Target?
    private let handle: (Target, Message) -> Void

    init(target: Target, _ handle: @escaping (Target, Message) -> Void) {
        self.target = target
        self.handle = handle
    }

    override var isHeard: Bool { target != nil }

    override func fire(_ message: Message, from entry: AnyBoardEntry) {
        if let target { handle(target, message) } else { entry.remove(self) }
    }
}

/// A flow that activates the next board with the output of the previous one.
final class StepFlow<Next: BoardContract>: Flow<Next.Input> {
    // Looked up once, at registration. The reference cycle ends when the motherboard is released.
    private let next: BoardEntry<Next>

    init(to next: BoardEntry<Next>) {
        self.next = next
    }

    override var leadsTo: [AnyBoardID] { [next.anyID] }

    override func fire(_ message: Next.Input, from entry: AnyBoardEntry) {
        next.step(with: message)
    }
}

/// A flow that maps a message to an input and activates the next board with it.
///
/// It does nothing if the mapping returns `nil`.
final class MappingFlow<Message, Next: BoardContract>: Flow<Message> {
    private let next: BoardEntry<Next>
    private let input: (Message) -> Next.Input?

    init(to next: BoardEntry<Next>, _ input: @escaping (Message) -> Next.Input?) {
        self.next = next
        self.input = input
    }

    override var leadsTo: [AnyBoardID] { [next.anyID] }

    override func fire(_ message: Message, from entry: AnyBoardEntry) {
        if let input = input(message) { next.step(with: input) }
    }
}

/// The message-independent base of ``Flow``.
class AnyFlow {
    /// Whether the flow is removed.
    ///
    /// A delivery in progress iterates over the flows it began with, so each flow must carry this
    /// mark.
    final var isRemoved = false
    /// Whether a handler receives the messages of this flow.
    var isHeard: Bool { true }
    /// Whether the flow receives messages of boards inside a scope from outside the scope.
    var crosses: Bool { true }
    /// The boards that the flow is declared to activate or to send commands to.
    var leadsTo: [AnyBoardID] { [] }
    /// The kind of edge that stands for this flow in a graph.
    var edgeKind: BoardGraph.Edge.Kind { .flow }
}

/// The end of an activation, as completion flows receive it.
struct EndedActivation<Contract: BoardContract> {
    let liveBoard: LiveBoard<Contract>
    let completion: Completion

    var activation: Activation<Contract> { Activation(of: liveBoard, generation: liveBoard.generation) }
}

/// Flows for one type of `Message`, in the order of registration.
struct FlowList<Message> {
    // Stored by base class: see `uncheckedDowncast`. Only `append` adds elements.
    private var flows: [AnyFlow] = []

    var isEmpty: Bool { flows.isEmpty }
    var all: [AnyFlow] { flows }

    mutating func append(_ flow: Flow<Message>) {
        flows.append(flow)
    }

    func removing(_ flow: AnyFlow) -> FlowList {
        FlowList(flows: flows.filter { $0 !== flow })
    }

    /// Fires the flows that are registered now, except flows that are removed meanwhile.
    ///
    /// Stops as soon as a flow releases the last reference to the motherboard.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - entry: the entry on whose motherboard the flows are registered.
    ///   - isCrossing: whether the board is inside a scope, on another motherboard.
    func fire(_ message: Message, from entry: AnyBoardEntry, isCrossing: Bool = false) {
        for flow in flows where !flow.isRemoved && (!isCrossing || flow.crosses) {
            if entry.standing == .orphaned { return }
            uncheckedDowncast(flow, to: Flow<Message>.self).fire(message, from: entry)
        }
    }
}

/// An object that holds flows and can remove one.
protocol FlowOwner: AnyObject {
    func remove(_ flow: AnyFlow)
}

extension Registration {
    init(of flow: AnyFlow, in owner: any FlowOwner) {
        self.init {
            flow.isRemoved = true
            owner.remove(flow)
        }
    }
}
