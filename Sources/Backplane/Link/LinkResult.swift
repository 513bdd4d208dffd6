/// The result of opening a link, as far as it is known.
public enum LinkResult: Hashable, Sendable, CustomStringConvertible {
    /// The board that the link leads to was activated.
    case opened
    /// A gate in front of that board has not decided yet.
    ///
    /// The board is activated when the gate opens.
    case waiting
    /// A gate denied the activation.
    case denied(Denial)
    /// The link was cancelled while it waited at a gate, for example by
    /// ``OpenedLink/complete(_:)``.
    case cancelled
    /// The link matches no template here, or its board is not registered.
    case noMatch
    /// The link's scheme or host is not allowed.
    ///
    /// To allow it, use ``Motherboard/allowLinks(schemes:hosts:fileID:line:)``.
    case notAllowed
    /// The motherboard has completed, so it opens no more links.
    case ownerGone
    /// The link is malformed, or a parameter does not fit the board's input.
    case invalid(LinkError)

    /// The case's name and, unless the link was opened, the reason.
    ///
    /// The description never contains the link or a value from it.
    public var description: String {
        switch self {
        case .opened: "opened"
        case .waiting: "waiting: A gate is in front of the link's board and has not decided yet."
        case .denied(let denial): "denied: \(denial)"
        case .cancelled: "cancelled: The link was cancelled while it waited at a gate."
        case .noMatch: "noMatch: The link leads nowhere here. Register a template for it with registerLink(_:to:)."
        case .notAllowed:
            "notAllowed: The link's scheme or host is not allowed. Allow it with allowLinks(schemes:hosts:)."
        case .ownerGone: "ownerGone: The motherboard has completed. Open the link on one that is in use."
        case .invalid(let error): "invalid: \(error.message)"
        }
    }
}
