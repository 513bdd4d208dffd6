public import Backplane

/// What a board may ask of the app around it, whoever that is.
public enum AppAction: BoardAction, Codable, Hashable, Sendable {
    /// Shows the start page.
    case returnHome
}
