/// The effect of activating an ID while a board of it is live.
public enum Reuse: Hashable, Sendable {
    /// There is one board; a new activation reaches it and supersedes the earlier one.
    ///
    /// A screen of the earlier activation has the same slot, so its outputs and its end count for the later one. If both
    /// screens may be visible, register `perActivation`.
    case shared
    /// Each activation makes a board of its own: two courses open at once.
    case perActivation
}
