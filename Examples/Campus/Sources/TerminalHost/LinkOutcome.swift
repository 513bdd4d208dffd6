import Backplane

/// The result of a link that a ``Terminal`` opened, with a text for the user.
public enum LinkOutcome: Hashable, Sendable, CustomStringConvertible {
    /// The board behind the link was activated.
    case opened
    /// A gate in front of the board has not decided yet.
    case waiting
    /// A gate denied the link.
    case denied(reason: String)
    /// No board matches the link.
    case noMatch
    /// The link is malformed, or a parameter does not have the type that its board expects.
    case invalid(reason: String)

    init(_ result: LinkResult) {
        self =
            switch result {
            case .opened: .opened
            case .waiting: .waiting
            case .denied(let denial): .denied(reason: denial.description)
            case .cancelled: .denied(reason: "The activation was cancelled.")
            case .noMatch, .notAllowed, .ownerGone: .noMatch
            case .invalid(let error): .invalid(reason: error.message)
            }
    }

    /// The result as a sentence, with what to do about it.
    public var description: String {
        switch self {
        case .opened: "The link is open."
        case .waiting: "The link waits at a gate. Complete the screen that is shown first."
        case .denied(let reason): "The link is denied. \(reason)"
        case .noMatch: "No board matches the link. Check its path, and its scheme if it has one."
        case .invalid(let reason): "The link is invalid. \(reason)"
        }
    }
}
