import BackplaneConcurrency

/// A handler of one sort of message, registered until it is removed.
class Flow<Message>: AnyFlow {
    /// Handles a message of the board that `entry` is about.
    func fire(_ message: Message, from entry: AnyBoardEntry) {}
}

/// A flow whose handler is told the sender and given its motherboard.
class HandlerFlow<Message>: Flow<Message> {
    private let handle: (Message, AnyBoardID, Motherboard) -> Void

    init(_ handle: @escaping (Message, AnyBoardID, Motherboard) -> Void) {
        self.handle = handle
    }

    override func fire(_ message: Message, from entry: AnyBoardEntry) {
        handle(message, entry.anyID, entry.motherboard)
    }
}

/// A flow whose handler says where it leads.
final class DeclaredFlow<Message>: HandlerFlow<Message> {
    private let declared: [AnyBoardID]
    private let kind: BoardGraph.Edge.Kind

    init(
        leadingTo declared: [AnyBoardID],
        kind: BoardGraph.Edge.Kind = .handler,
        _ handle: @escaping (Message, AnyBoardID, Motherboard) -> Void
    ) {
        self.declared = declared
        self.kind = kind
        super.init(handle)
    }

    override var leadsTo: [AnyBoardID] { declared }
    override var edgeKind: BoardGraph.Edge.Kind { kind }
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

/// A flow that activates the next board with what the one before has sent.
final class StepFlow<Next: BoardContract>: Flow<Next.Input> {
    // Looked up once, when the flow is drawn; the two let go of each other when the motherboard goes.
    private let next: BoardEntry<Next>

    init(to next: BoardEntry<Next>) {
        self.next = next
    }

    override var leadsTo: [AnyBoardID] { [next.anyID] }

    override func fire(_ message: Next.Input, from entry: AnyBoardEntry) {
        next.step(with: message)
    }
}

/// A flow that activates the next board with what it makes of the message, if anything.
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

/// What of a flow does not depend on its messages.
class AnyFlow {
    /// A delivery under way holds the flows it began with, so removal must be visible on the flow itself.
    final var isRemoved = false
    /// Whether there is somebody who handles what it is fired with.
    var isHeard: Bool { true }
    /// The boards it is declared to activate or to command.
    var leadsTo: [AnyBoardID] { [] }
    /// What it is on a graph.
    var edgeKind: BoardGraph.Edge.Kind { .flow }
}

/// The end of an activation, on its way to completion flows.
struct EndedActivation<Contract: BoardContract> {
    let liveBoard: LiveBoard<Contract>
    let completion: Completion

    var activation: Activation<Contract> { Activation(of: liveBoard, generation: liveBoard.generation) }
}

/// Flows in the order of registration, all of one `Message`.
struct FlowList<Message> {
    // By base class: see `downcast`. Only `append` puts anything in.
    private var flows: [AnyFlow] = []

    var isEmpty: Bool { flows.isEmpty }
    var all: [AnyFlow] { flows }

    mutating func append(_ flow: Flow<Message>) {
        flows.append(flow)
    }

    func removing(_ flow: AnyFlow) -> FlowList {
        FlowList(flows: flows.filter { $0 !== flow })
    }

    /// Fires the flows that are registered now, but for those removed meanwhile; none after one that has dropped the last
    /// reference to the motherboard.
    func fire(_ message: Message, from entry: AnyBoardEntry) {
        for flow in flows where !flow.isRemoved {
            if entry.standing == .orphaned { return }
            downcast(flow, to: Flow<Message>.self).fire(message, from: entry)
        }
    }
}

/// What holds flows and lets go of one.
protocol FlowHost: AnyObject {
    func remove(_ flow: AnyFlow)
}

/// A token that removes a flow: see ``Motherboard/removeFlow(_:)``.
///
/// It may be ignored: a flow lives as long as its motherboard.
public struct FlowToken {
    let entries: [(flow: AnyFlow, host: any FlowHost)]

    func remove() {
        for (flow, host) in entries {
            flow.isRemoved = true
            host.remove(flow)
        }
    }
}
