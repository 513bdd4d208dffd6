import BackplaneConcurrency

/// An event that bubbles up until a motherboard handles it, such as "return home" or "sign out".
///
/// The board that sends an action does not know who handles it. Each type of action has its own
/// handlers.
///
/// ```swift
/// enum AppAction: BoardFlowAction { case returnHome }
///
/// motherboard.registerGeneralFlow { (action: AppAction, motherboard) in
///     motherboard.activate(Dashboard.id)
/// }
/// ```
public protocol BoardFlowAction {}

extension Motherboard {
    /// Registers a handler that handles every action of one type.
    ///
    /// The handler receives actions from boards on this motherboard and on nested ones. General and
    /// bubbling flows share one order: the order of registration. Each is called in turn until one
    /// handles the action.
    @discardableResult
    public func registerGeneralFlow<Action: BoardFlowAction>(
        _ handler: @escaping (Action, Motherboard) -> Void
    ) -> Registration {
        checkOwner()
        return level.add(
            ActionFlow<Action> { action, motherboard in
                handler(action, motherboard)
                return true
            }
        )
    }

    /// Registers a handler that handles every action of one type for as long as `target` lives.
    ///
    /// The flow holds `target` weakly and passes it to the handler. After the target is released,
    /// the next handler receives the action, then the parent motherboard.
    ///
    /// ```swift
    /// motherboard.registerGeneralFlow(weak: self) { (self, action: AppAction) in self.signOut() }
    /// ```
    @discardableResult
    public func registerGeneralFlow<Action: BoardFlowAction, Target: AnyObject>(
        weak target: Target,
        _ handler: @escaping (Target, Action) -> Void
    ) -> Registration {
        checkOwner()
        return level.add(
            ActionFlow<Action> { [weak target] in
                target == nil
            } handle: { [weak target] action, _ in
                guard let target else { return false }
                handler(target, action)
                return true
            }
        )
    }

    // The name differs from the ones above. With one name, the compiler could not choose an
    // overload for a closure with several statements.

    /// Registers a handler that decides for each action of one type whether it is handled.
    ///
    /// The handler receives actions from boards on this motherboard and on nested ones. It returns
    /// whether it has handled the action. If not, the next handler here receives the action, then
    /// the parent motherboard.
    @discardableResult
    public func registerBubblingFlow<Action: BoardFlowAction>(
        _ handler: @escaping (Action, Motherboard) -> Bool
    ) -> Registration {
        checkOwner()
        return level.add(ActionFlow(handle: handler))
    }

    /// Sends an action to the flows of this motherboard, then to those of each ancestor.
    ///
    /// The action goes up until a handler handles it. It is delivered in order with outputs. If no
    /// motherboard handles it, it raises ``BoardEvent/Kind/unhandledAction``.
    public func sendAction(_ action: some BoardFlowAction) {
        checkOwner()
        level.send(action, from: nil)
    }
}

extension Level {
    func send<Action: BoardFlowAction>(_ action: Action, from sender: AnyLiveBoard?) {
        // A completed root has no flows left to run, and its owner may already be released. A
        // completed nested motherboard still has a parent that can handle the action.
        if isCompleted, parentEntry?.motherboardIfThere == nil { return }
        if scheduler.openTurn() {
            handle(action, from: sender, for: purposeOfAction(from: sender), isDerived: false)
            scheduler.closeTurn()
        } else {
            scheduler.enqueue(PendingAction(action, from: sender, at: self))
        }
    }

    /// Returns the purpose of the sending board, or of an activation here without a sending board.
    fileprivate func purposeOfAction(from sender: AnyLiveBoard?) -> Purpose? {
        if !scheduler.gates.hasRuns { return nil }
        return sender.map(\.purpose) ?? motherboard?.purpose(nil)
    }

    fileprivate func handle<Action: BoardFlowAction>(
        _ action: Action,
        from sender: AnyLiveBoard?,
        for purpose: Purpose?,
        isDerived: Bool
    ) {
        let type = ObjectIdentifier(Action.self)
        var level = nearestLevel(handling: type)
        while let current = level {
            if let flows = current.actionFlows(of: Action.self), let motherboard = current.motherboard {
                let isHandled = scheduler.acting(asFlow: !current.isBoardsOwn, for: purpose) {
                    flows.fire(action, on: motherboard)
                }
                if isHandled {
                    if scheduler.observerCount == 0 { return }
                    self.motherboard?.raise(.action, of: sender, isDerived: isDerived, payload: action) {
                        "Handled an action of type \(Action.self)."
                    }
                    return
                }
            }
            level = current.outer?.nearestLevel(handling: type)
        }
        motherboard?.raise(.unhandledAction, of: sender, isDerived: isDerived, isProblem: true, payload: action) {
            "No motherboard handled the action \(Action.self). Register a general flow for it on the root motherboard."
        }
    }
}

final class ActionFlow<Action: BoardFlowAction>: AnyFlow {
    /// Whether the target of the flow is released.
    fileprivate let isOver: () -> Bool
    private let handle: (Action, Motherboard) -> Bool

    init(isOver: @escaping () -> Bool = { false }, handle: @escaping (Action, Motherboard) -> Bool) {
        self.isOver = isOver
        self.handle = handle
    }

    fileprivate func fire(_ action: Action, on motherboard: Motherboard) -> Bool {
        handle(action, motherboard)
    }
}

/// The base of ``ActionFlows`` that does not depend on the type of action.
class AnyActionFlows {
    /// The name of the action's type.
    var typeName: String { "" }

    /// Sends an action decoded from a written payload, or returns false if it cannot be decoded.
    func send(reading action: any ReadablePayload, from sender: AnyLiveBoard?, on level: Level) -> Bool {
        false
    }
}

/// The handlers of one type of action on one motherboard, in the order of registration.
final class ActionFlows<Action: BoardFlowAction>: AnyActionFlows, FlowOwner {
    // Stored by base class: see `uncheckedDowncast`. Only `append` adds elements.
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
        on level: Level
    ) -> Bool {
        guard let action = action.read(as: Action.self) else { return false }
        level.send(action, from: sender)
        return true
    }

    fileprivate func fire(_ action: Action, on motherboard: Motherboard) -> Bool {
        for flow in flows where !flow.isRemoved {
            let flow = uncheckedDowncast(flow, to: ActionFlow<Action>.self)
            if flow.isOver() {
                remove(flow)
            } else if flow.fire(action, on: motherboard) {
                return true
            }
        }
        return false
    }
}

/// Returns the name of a type of action, which is the same in every process.
///
/// Swift writes an address into the name of a private type, so the result leaves that part out.
func actionName(of type: Any.Type) -> String {
    String(reflecting: type).replacing(#/\(unknown context at [^)]*\)\./#, with: "")
}

private final class PendingAction<Action: BoardFlowAction>: Delivery {
    private let action: Action
    private let origin: AnyLiveBoard?
    private let level: Level
    /// The motherboard, which must not end before the action is delivered.
    private let motherboard: Motherboard?
    private let purpose: Purpose?
    private let isDerived: Bool

    init(_ action: Action, from origin: AnyLiveBoard?, at level: Level) {
        self.action = action
        self.origin = origin
        self.level = level
        motherboard = level.motherboard
        purpose = level.purposeOfAction(from: origin)
        isDerived = level.scheduler.isHandlingFlow
    }

    override var sender: AnyBoardID? { origin?.sender }
    override func deliver() { level.handle(action, from: origin, for: purpose, isDerived: isDerived) }

    override func raise(_ kind: BoardEvent.Kind, _ message: () -> String) {
        motherboard?.raise(kind, of: origin, isProblem: true, message)
    }
}
