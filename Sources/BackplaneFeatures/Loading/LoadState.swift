/// What there is to show of something that is loaded.
///
/// A value once loaded stays with the states that follow, so that a reload or its failure need not blank the screen.
public enum LoadState<Value> {
    /// Nothing has been asked for.
    case idle
    /// A load is under way; `previous` is what an earlier load of the same ID brought.
    case loading(previous: Value?)
    /// The last load brought this value.
    case loaded(Value)
    /// The last load failed; `previous` is what an earlier load of the same ID brought.
    case failed(any Error, previous: Value?)

    /// The value to show: the loaded one or, while a reload is under way or after it failed, the previous one.
    public var value: Value? {
        switch self {
        case .idle: nil
        case .loaded(let value): value
        case .loading(let previous), .failed(_, let previous): previous
        }
    }

    /// The error of the last load, if it failed and no other is under way.
    public var error: (any Error)? {
        if case .failed(let error, _) = self { error } else { nil }
    }

    /// Whether a load is under way.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }
}

extension LoadState: Sendable where Value: Sendable {}
