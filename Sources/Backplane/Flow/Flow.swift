/// A handler of one sort of message, registered until it is removed.
class Flow<Message>: AnyFlow {
    private let handle: (Message, AnyBoardID, Motherboard) -> Void

    init(_ handle: @escaping (Message, AnyBoardID, Motherboard) -> Void) {
        self.handle = handle
    }

    func fire(_ message: Message, from sender: AnyBoardID, on motherboard: Motherboard) {
        if !isRemoved { handle(message, sender, motherboard) }
    }
}

/// A flow that lives as long as its target.
final class WeakFlow<Message, Target: AnyObject>: Flow<Message> {
    private weak var target: Target?
    private weak var host: (any FlowHost)?
    private let handleAtTarget: (Target, Message) -> Void

    init(target: Target, host: any FlowHost, _ handler: @escaping (Target, Message) -> Void) {
        self.target = target
        self.host = host
        handleAtTarget = handler
        super.init { _, _, _ in }
    }

    override func fire(_ message: Message, from sender: AnyBoardID, on motherboard: Motherboard) {
        if isRemoved { return }
        if let target { handleAtTarget(target, message) } else { host?.remove(self) }
    }
}

/// What of a flow does not depend on its messages.
class AnyFlow {
    /// A delivery under way holds the flows it began with, so removal must be visible on the flow itself.
    final var isRemoved = false
}

/// What holds flows and lets go of one.
protocol FlowHost: AnyObject {
    func remove(_ flow: AnyFlow)
}

/// What registering a flow returns, to remove it again: see ``Motherboard/removeFlow(_:)``.
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
