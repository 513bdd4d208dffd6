import BackplaneConcurrency

/// A wish that some motherboard up the chain fulfils: "return home", "sign out".
///
/// The board that sends it does not know who will handle it. Each type of action has its own handlers.
///
/// ```swift
/// enum AppAction: BoardFlowAction { case returnHome }
///
/// motherboard.registerGeneralFlow { (action: AppAction, motherboard) in motherboard.activate(.dashboard) }
/// ```
public protocol BoardFlowAction {}

/// The decision of a handler about an action.
public enum FlowActionVerdict: Hashable, Sendable {
    /// The action is handled, and no other handler receives it.
    case handled
    /// The action goes on: to the next handler here, then to the motherboard around this one.
    case bubble
}

extension Motherboard {
    /// Registers a handler that deals with every action of one type, from boards here and inside.
    ///
    /// Handlers of both sorts are asked in the order of registration until one has dealt with the action.
    @discardableResult
    public func registerGeneralFlow<Action: BoardFlowAction>(
        _ handler: @escaping (Action, Motherboard) -> Void
    ) -> FlowToken {
        add(
            ActionFlow<Action> { action, motherboard in
                handler(action, motherboard)
                return .handled
            }
        )
    }

    // Not one name with the above: the compiler could not tell which of the two a closure of several statements is.

    /// Registers a handler of one type of action, from boards here and inside, that says of each whether it has dealt with it.
    ///
    /// An action that is left to others goes to the next handler here, then to the motherboard around this one.
    @discardableResult
    public func registerBubblingFlow<Action: BoardFlowAction>(
        _ handler: @escaping (Action, Motherboard) -> FlowActionVerdict
    ) -> FlowToken {
        add(ActionFlow(handler))
    }

    /// Sends an action to this motherboard's general flows, and up the chain until one handles it.
    ///
    /// Delivered in order with outputs. Unhandled at the root, it raises ``BoardEvent/Kind/unhandledAction``.
    public func sendAction(_ action: some BoardFlowAction) {
        checkOwner()
        sendAction(action, from: nil)
    }

    func sendAction<Action: BoardFlowAction>(_ action: Action, from sender: AnyLiveBoard?) {
        // A completed root has no flows left to run, and its owner may be gone; what is inside another still has a way up.
        if isCompleted, parent == nil { return }
        if scheduler.open() {
            handle(action, from: sender, for: purposeOfAction(from: sender), isDerived: false)
            scheduler.close()
        } else {
            scheduler.enqueue(PendingAction(action, from: sender, at: self))
        }
    }

    /// The purpose of the board that sends an action; of one that no board sends, that of an activation here.
    fileprivate func purposeOfAction(from sender: AnyLiveBoard?) -> Purpose? {
        if !scheduler.hasRuns { return nil }
        return sender.map(\.purpose) ?? purpose(nil)
    }

    fileprivate func handle<Action: BoardFlowAction>(
        _ action: Action,
        from sender: AnyLiveBoard?,
        for purpose: Purpose?,
        isDerived: Bool
    ) {
        let purposeBefore = scheduler.purpose
        scheduler.purpose = purpose
        defer { scheduler.purpose = purposeBefore }
        var level: Motherboard? = self
        while let motherboard = level {
            if let flows = motherboard.actionFlows(of: Action.self) {
                let wasHandlingFlow = scheduler.isHandlingFlow
                scheduler.isHandlingFlow = !motherboard.isBoardsOwn
                let verdict = flows.fire(action, on: motherboard)
                scheduler.isHandlingFlow = wasHandlingFlow
                if verdict == .handled {
                    return raise(.action, of: sender, isDerived: isDerived, payload: action) {
                        "Handled an action of type \(Action.self)."
                    }
                }
            }
            level = motherboard.parent
        }
        raise(.unhandledAction, of: sender, isDerived: isDerived, payload: action) {
            "Nobody handled an action of type \(Action.self); register a general flow for it at the root."
        }
    }
}

final class ActionFlow<Action: BoardFlowAction>: AnyFlow {
    private let handle: (Action, Motherboard) -> FlowActionVerdict

    init(_ handle: @escaping (Action, Motherboard) -> FlowActionVerdict) {
        self.handle = handle
    }

    fileprivate func fire(_ action: Action, on motherboard: Motherboard) -> FlowActionVerdict {
        handle(action, motherboard)
    }
}

/// What of ``ActionFlows`` does not depend on the type of action.
class AnyActionFlows {
    /// The type of action.
    var typeName: String { "" }

    /// Sends an action that was written down; false where it cannot be read.
    func send(reading action: any ReadablePayload, from sender: AnyLiveBoard?, on motherboard: Motherboard) -> Bool {
        false
    }
}

/// The handlers of one type of action on one motherboard, in the order of registration.
final class ActionFlows<Action: BoardFlowAction>: AnyActionFlows, FlowHost {
    // By base class: see `downcast`. Only `append` puts anything in.
    private var flows: [AnyFlow] = []

    override init() {}

    func append(_ flow: ActionFlow<Action>) {
        flows = flows + [flow]
    }

    func remove(_ flow: AnyFlow) {
        let earlier = flows
        flows = flows.filter { $0 !== flow }
        drop(earlier)
    }

    override var typeName: String { actionName(of: Action.self) }

    override func send(
        reading action: any ReadablePayload,
        from sender: AnyLiveBoard?,
        on motherboard: Motherboard
    ) -> Bool {
        guard let action = action.read(as: Action.self) else { return false }
        motherboard.sendAction(action, from: sender)
        return true
    }

    fileprivate func fire(_ action: Action, on motherboard: Motherboard) -> FlowActionVerdict {
        for flow in flows where !flow.isRemoved {
            if downcast(flow, to: ActionFlow<Action>.self).fire(action, on: motherboard) == .handled { return .handled }
        }
        return .bubble
    }
}

/// The name of a type of action, the same in every process: where a private type is declared, Swift says by an address.
func actionName(of type: Any.Type) -> String {
    String(reflecting: type).replacing(#/\(unknown context at [^)]*\)\./#, with: "")
}

private final class PendingAction<Action: BoardFlowAction>: Delivery {
    private let action: Action
    private let origin: AnyLiveBoard?
    private let motherboard: Motherboard
    private let purpose: Purpose?
    private let isDerived: Bool

    init(_ action: Action, from origin: AnyLiveBoard?, at motherboard: Motherboard) {
        self.action = action
        self.origin = origin
        self.motherboard = motherboard
        purpose = motherboard.purposeOfAction(from: origin)
        isDerived = motherboard.scheduler.isHandlingFlow
    }

    override var sender: AnyBoardID? { origin?.sender }
    override func deliver() { motherboard.handle(action, from: origin, for: purpose, isDerived: isDerived) }

    override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {
        motherboard.raise(kind, of: origin, message)
    }
}
