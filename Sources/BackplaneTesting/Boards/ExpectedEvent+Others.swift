public import Backplane

// What boards do not do themselves, or not alone.
extension ExpectedEvent {
    /// This action is handled.
    public static func action<Action: BoardFlowAction & Equatable>(_ action: Action) -> ExpectedEvent {
        value(.action, action)
    }

    /// An action of this type is handled: any, or one that `predicate` is true of.
    public static func action<Action: BoardFlowAction>(
        _ type: Action.Type,
        where predicate: ((Action) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.action, type, predicate)
    }

    /// No motherboard up the chain handles this action.
    public static func unhandledAction<Action: BoardFlowAction & Equatable>(_ action: Action) -> ExpectedEvent {
        value(.unhandledAction, action)
    }

    /// No motherboard up the chain handles an action of this type: any, or one that `predicate` is true of.
    public static func unhandledAction<Action: BoardFlowAction>(
        _ type: Action.Type,
        where predicate: ((Action) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.unhandledAction, type, predicate)
    }

    /// The gate in front of the board opens for an activation.
    public static func gateOpened<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.gateOpened, id)
    }

    /// An activation of the board is denied at the gate.
    public static func gateDenied<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.gateDenied, id)
    }

    /// The entrance of the scope answers while the scope is live, and the answer is dropped.
    public static func droppedEntrance<Contract>(_ scope: BoardID<Contract>) -> ExpectedEvent {
        event(.droppedEntrance, scope)
    }

    /// The identity is activated, and nothing is registered under it.
    public static func noSuchBoard<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.noSuchBoard, id)
    }

    /// The board starts work that ends with it; ignored unless the test motherboard is told otherwise.
    public static func taskStarted<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.taskStarted, id)
    }

    /// Such work ends; ignored unless the test motherboard is told otherwise.
    public static func taskEnded<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.taskEnded, id)
    }

    /// The board fails, and nothing hears it.
    public static func unhandledFailure<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.unhandledFailure, id)
    }

    /// The board ended a second ago, by the clock of the test motherboard, and is still held by something.
    public static func leaked<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.leaked, id)
    }

    /// An event of any kind that is about a board, whatever was sent.
    public static func event<Contract>(_ kind: BoardEvent.Kind, _ id: BoardID<Contract>) -> ExpectedEvent {
        ExpectedEvent(kind, board: id.name, text: ".\(kind)(\(BoardText(id.name)))")
    }

    private static func value<Action: Equatable>(_ kind: BoardEvent.Kind, _ action: Action) -> ExpectedEvent {
        let text = ".\(kind)(\(ValueText(qualified: action).text))"
        return ExpectedEvent(kind, text: text) { $0 as? Action == action }
    }

    private static func any<Action>(
        _ kind: BoardEvent.Kind,
        _ type: Action.Type,
        _ predicate: ((Action) -> Bool)?
    ) -> ExpectedEvent {
        let text = ".\(kind)(\(type).self)\(predicate == nil ? "" : " { … }")"
        return ExpectedEvent(kind, text: text) { payload in
            (payload as? Action).map { predicate?($0) ?? true } ?? false
        }
    }
}
