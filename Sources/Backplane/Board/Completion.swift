/// How a board ended.
public enum Completion: Sendable {
    /// The board finished what it was activated for.
    case done
    /// It was ended before that: by its user, by another board, or because its motherboard went.
    case cancelled
    /// Its work failed, and nothing caught the error.
    case failed(any Error)
}

extension Completion: CustomStringConvertible {
    /// The case; of an error only its type, since an error may quote what a user typed.
    public var description: String {
        switch self {
        case .done: "done"
        case .cancelled: "cancelled"
        case .failed(let error): "failed(\(type(of: error)))"
        }
    }
}
