/// The way in which a board ended.
public enum Completion: Sendable {
    /// The board finished what it was activated for.
    case done
    /// It was ended before that: by its user, by another board, or because its motherboard went.
    case cancelled
    /// Its work failed, and nothing caught the error.
    case failed(any Error)
}

// An error need not be comparable, so neither is a completion.
extension Completion {
    /// Whether the board finished what it was activated for.
    public var isDone: Bool {
        if case .done = self { true } else { false }
    }

    /// Whether the board was ended before that.
    public var isCancelled: Bool {
        if case .cancelled = self { true } else { false }
    }

    /// The error that the board failed with; nil if it did not fail.
    public var error: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }
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
