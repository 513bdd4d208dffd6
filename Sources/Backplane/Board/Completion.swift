/// The way a board ended.
public enum Completion: Sendable {
    /// The board finished its work.
    case done
    /// The user, another board or the end of the motherboard ended the board before it finished.
    case cancelled
    /// The board's work failed with an error that nothing caught.
    case failed(any Error)
}

// Not `Equatable`, because an error may not be.
extension Completion {
    /// Whether the board finished its work.
    public var isDone: Bool {
        if case .done = self { true } else { false }
    }

    /// Whether the board was cancelled before it finished.
    public var isCancelled: Bool {
        if case .cancelled = self { true } else { false }
    }

    /// The error that the board failed with; `nil` if it did not fail.
    public var error: (any Error)? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension Completion: CustomStringConvertible {
    /// The name of the case, and only the type of an error, because an error may quote user input.
    public var description: String {
        switch self {
        case .done: "done"
        case .cancelled: "cancelled"
        case .failed(let error): "failed(\(type(of: error)))"
        }
    }
}
