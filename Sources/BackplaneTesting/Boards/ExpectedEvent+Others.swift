public import Backplane

// Events about actions, gates, scopes, registrations, tasks and leaks.
extension ExpectedEvent {
    /// A motherboard handles this action.
    public static func action<Action: BoardFlowAction & Equatable>(_ action: Action) -> ExpectedEvent {
        value(.action, action)
    }

    /// A motherboard handles an action of this type: any, or one that satisfies `predicate`.
    public static func action<Action: BoardFlowAction>(
        _ type: Action.Type,
        where predicate: ((Action) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.action, type, predicate)
    }

    /// No motherboard, up to the root, handles this action.
    public static func unhandledAction<Action: BoardFlowAction & Equatable>(_ action: Action) -> ExpectedEvent {
        value(.unhandledAction, action)
    }

    /// No motherboard, up to the root, handles an action of this type.
    ///
    /// Expects any action of the type, or one that satisfies `predicate`.
    public static func unhandledAction<Action: BoardFlowAction>(
        _ type: Action.Type,
        where predicate: ((Action) -> Bool)? = nil
    ) -> ExpectedEvent {
        any(.unhandledAction, type, predicate)
    }

    /// The board's gate opens for an activation.
    public static func gateOpened<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.gateOpened, id)
    }

    /// The board's gate denies an activation.
    public static func gateDenied<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.gateDenied, id)
    }

    /// The entrance sends an output while its scope is live, and the output is discarded.
    public static func droppedEntrance<Contract>(_ scope: BoardID<Contract>) -> ExpectedEvent {
        event(.droppedEntrance, scope)
    }

    /// An ID is activated that has no registration.
    public static func noSuchBoard<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.noSuchBoard, id)
    }

    /// The board starts a task.
    ///
    /// Test motherboards ignore this event by default; see ``TestMotherboard/ignoredByDefault``.
    public static func taskStarted<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.taskStarted, id)
    }

    /// A task of the board ends.
    ///
    /// Test motherboards ignore this event by default; see ``TestMotherboard/ignoredByDefault``.
    public static func taskEnded<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.taskEnded, id)
    }

    /// The board fails, and nothing handles the failure.
    public static func unhandledFailure<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.unhandledFailure, id)
    }

    /// The board ended one second ago and is not released yet.
    ///
    /// The clock of the test motherboard measures the second.
    public static func leaked<Contract>(_ id: BoardID<Contract>) -> ExpectedEvent {
        event(.leaked, id)
    }

    /// An event of this kind about this board, with any value.
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
