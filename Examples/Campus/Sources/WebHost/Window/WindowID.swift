/// The identity of one window, which is one tab of a browser showing one page load.
///
/// It cannot be guessed, and only the page it was made for knows it; its description hides it.
public struct WindowID: Hashable, Sendable, CustomStringConvertible {
    let secret: Secret

    /// Hides the identity.
    public var description: String { "WindowID(<secret>)" }
}
