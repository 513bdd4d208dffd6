/// What a second activation of an identity means while a board of it is live.
public enum Reuse: Hashable, Sendable {
    /// There is one board; a new activation reaches it and supersedes the earlier one.
    ///
    /// What the earlier one has put on the screen has the same slot: what it sends and ends from then on is the later
    /// one's. Where both may be seen, register `perActivation`.
    case shared
    /// Each activation makes a board of its own: two courses open at once.
    case perActivation
}
