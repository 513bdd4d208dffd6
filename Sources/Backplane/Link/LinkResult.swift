/// What became of a link that was opened.
public enum LinkResult: Hashable, Sendable {
    /// The board the link leads to was activated.
    case opened
    /// A gate is in front of that board; it proceeds to its target when the gate opens.
    case waiting
    /// The gate did not open.
    case denied(Denial)
    /// The link leads nowhere here: to no template, to another host or scheme, or to a board that is not registered.
    case noMatch
    /// The link is malformed, or a parameter is not what the board takes.
    case invalid(LinkError)
}
