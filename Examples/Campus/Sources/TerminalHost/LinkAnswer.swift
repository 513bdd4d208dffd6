import Backplane

/// What became of a link that a ``Terminal`` opened, in words for people.
public enum LinkAnswer: Hashable, Sendable, CustomStringConvertible {
    /// The board that the link leads to was activated.
    case opened
    /// A gate is in front of that board and has not decided yet.
    case waiting
    /// The gate did not open.
    case denied(reason: String)
    /// The link leads nowhere.
    case noMatch
    /// The link is malformed, or something in it is not what its target takes.
    case invalid(reason: String)

    init(_ result: LinkResult) {
        self =
            switch result {
            case .opened: .opened
            case .waiting: .waiting
            case .denied(let denial): .denied(reason: denial.description)
            case .cancelled: .denied(reason: "It was given up.")
            case .noMatch, .notAllowed, .ownerGone: .noMatch
            case .invalid(let error): .invalid(reason: error.message)
            }
    }

    /// The answer as a sentence, with what to do about it.
    public var description: String {
        switch self {
        case .opened: "The link is open."
        case .waiting: "The link waits for a gate: what is on the screen has to be answered first."
        case .denied(let reason): "The link is denied. \(reason)"
        case .noMatch: "The link leads nowhere here. Check its path, and its scheme if it has one."
        case .invalid(let reason): "The link is invalid. \(reason)"
        }
    }
}
