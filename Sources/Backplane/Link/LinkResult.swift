/// The outcome of opening a link, as far as it is known.
public enum LinkResult: Hashable, Sendable, CustomStringConvertible {
    /// The board the link leads to was activated.
    case opened
    /// A gate is in front of that board; it proceeds to its target when the gate opens.
    case waiting
    /// The gate did not open.
    case denied(Denial)
    /// The link was given up while it waited at a gate, by ``LinkActivation/complete(_:)`` for
    /// example.
    case cancelled
    /// The link leads nowhere here: to no template, or to a board that is not registered.
    case noMatch
    /// The link's scheme or host is not one of ours;
    /// ``Motherboard/allowLinks(schemes:hosts:fileID:line:)`` lists it.
    case notAllowed
    /// The motherboard has completed, so it opens no links any more.
    case ownerGone
    /// The link is malformed, or a parameter is not what the board takes.
    case invalid(LinkError)

    /// The case's name and, unless the link was opened, the reason; never the link or a value from
    /// it.
    public var description: String {
        switch self {
        case .opened: "opened"
        case .waiting: "waiting: A gate is in front of the link's board and has not decided yet."
        case .denied(let denial): "denied: \(denial)"
        case .cancelled: "cancelled: The link was given up while it waited at a gate."
        case .noMatch: "noMatch: The link leads nowhere here. Register its shape with registerLink(_:to:)."
        case .notAllowed:
            "notAllowed: The link's scheme or host is not one of ours. List it with allowLinks(schemes:hosts:)."
        case .ownerGone: "ownerGone: The motherboard has completed. Open the link on one that is in use."
        case .invalid(let error): "invalid: \(error.message)"
        }
    }
}
