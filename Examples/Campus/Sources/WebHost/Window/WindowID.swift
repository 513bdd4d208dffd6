/// The ID of one window, which is one tab of a browser with one page load.
///
/// It cannot be guessed, and only the window's own page knows it. Its description hides it.
public struct WindowID: Hashable, Sendable, CustomStringConvertible {
    let secret: Secret

    /// A text that does not reveal the ID.
    public var description: String { "WindowID(<secret>)" }
}
