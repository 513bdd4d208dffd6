/// A wish that some motherboard up the chain fulfils: "return home", "sign out".
///
/// The board that sends it does not know who will handle it. Each type of action has its own handlers.
///
/// ```swift
/// enum AppAction: BoardAction { case returnHome }
///
/// motherboard.registerGeneralFlow { (action: AppAction, motherboard) in motherboard.activate(.dashboard) }
/// ```
public protocol BoardAction {}

/// What a handler made of an action.
public enum ActionVerdict: Hashable, Sendable {
    /// It is dealt with; nobody else hears of it.
    case handled
    /// Somebody else should: the next handler here, then the motherboard around this one.
    case bubble
}

extension Motherboard {
    /// Registers a handler of one type of action, from boards here and inside.
    ///
    /// Handlers are asked in the order of registration until one answers ``ActionVerdict/handled``.
    @discardableResult
    public func registerGeneralFlow<Action: BoardAction>(
        _ handler: @escaping (Action, Motherboard) -> ActionVerdict
    ) -> FlowToken {
        add(ActionFlow(handler))
    }

    /// Registers a handler that deals with every action of one type, from boards here and inside.
    @discardableResult
    public func registerGeneralFlow<Action: BoardAction>(
        _ handler: @escaping (Action, Motherboard) -> Void
    ) -> FlowToken {
        add(
            ActionFlow<Action> { action, motherboard in
                handler(action, motherboard)
                return .handled
            }
        )
    }

    /// Sends an action to this motherboard's general flows, and up the chain until one handles it.
    ///
    /// Delivered in order with outputs. Unhandled at the root, it raises ``BoardEvent/Kind/unhandledAction``.
    public func sendAction(_ action: some BoardAction) {
        sendAction(action, from: nil)
    }

    func sendAction(_ action: some BoardAction, from sender: AnyBoardID?) {
        // A completed root has no flows left to run, and its owner may be gone; what is inside another still has a way up.
        if isCompleted, parent == nil { return }
        turns.turn { turns.enqueue(PendingAction(action, from: sender, at: self)) }
    }
}

final class ActionFlow<Action: BoardAction>: AnyFlow {
    private let handle: (Action, Motherboard) -> ActionVerdict

    init(_ handle: @escaping (Action, Motherboard) -> ActionVerdict) {
        self.handle = handle
    }

    func fire(_ action: Action, on motherboard: Motherboard) -> ActionVerdict {
        isRemoved ? .bubble : handle(action, motherboard)
    }
}

/// The handlers of one type of action on one motherboard.
final class ActionFlows<Action: BoardAction>: FlowHost {
    var list: [ActionFlow<Action>] = []

    func remove(_ flow: AnyFlow) {
        list.removeAll { $0 === flow }
    }
}

private final class PendingAction<Action: BoardAction>: Delivery {
    private let action: Action
    private let origin: AnyBoardID?
    private let motherboard: Motherboard

    init(_ action: Action, from origin: AnyBoardID?, at motherboard: Motherboard) {
        self.action = action
        self.origin = origin
        self.motherboard = motherboard
    }

    override var sender: AnyBoardID? { origin }

    override func deliver() {
        var level: Motherboard? = motherboard
        while let motherboard = level {
            for flow in motherboard.actions(of: Action.self)?.list ?? []
            where flow.fire(action, on: motherboard) == .handled {
                return raise(.action) { "Handled an action of type \(Action.self)." }
            }
            level = motherboard.parent
        }
        raise(.unhandledAction) {
            "Nobody handled an action of type \(Action.self); register a general flow for it at the root."
        }
    }

    override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {
        motherboard.raise(kind, board: origin, message)
    }
}
