public import Backplane

/// The flow actions that a board can send without knowing their handler.
public enum AppAction: BoardFlowAction, Codable, Hashable, Sendable {
    /// Shows the start page.
    case returnHome
}
