import Backplane

/// The stored part of a window, from which it can be restored.
///
/// The record does not contain the page. It contains the inputs of the boards and the order of
/// their screens.
struct WindowRecord: Codable, Equatable {
    /// A screen's place in the stack.
    struct Place: Codable, Equatable {
        let path: String
        let isModal: Bool
    }

    let session: SessionID
    /// The token that the window's page sends along; it gives no access by itself.
    let csrf: Secret
    /// Whether the window's page is known to run the script.
    let isScripted: Bool
    /// The number of the screen in the main area; ``path`` is the path of that screen.
    let screen: UInt32
    /// The number of screens that the window has shown.
    let screenCount: UInt32
    let path: String
    /// The path of the last redirect of a page without the script.
    let resumedPath: String?
    /// The IDs of the last events whose effects are stored; `nil` in an earlier version's record.
    let handledEvents: [String]?
    /// The screens, the root first; empty while an activation waits at a gate, whose screen is
    /// shown instead.
    let stack: [Place]
    /// The live boards of the motherboard.
    let boards: BoardSnapshot
}

/// The ID of one window, which is one tab of a browser with one page load.
///
/// It cannot be guessed, and only the window's own page knows it. Its description hides it.
public struct WindowID: Hashable, Sendable, CustomStringConvertible {
    let secret: Secret

    /// A text that does not reveal the ID.
    public var description: String { "WindowID(<secret>)" }
}
