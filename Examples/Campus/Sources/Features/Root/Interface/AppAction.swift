public import Backplane

/// The actions that a board may send without knowing the handler.
public enum AppAction: BoardFlowAction, Codable, Hashable, Sendable {
    /// Shows the start page.
    case returnHome
}
