internal import BackplaneConcurrency

/// The state of a loaded value, with everything that a screen needs to show it.
///
/// Once a value is loaded, the following states keep it, so a reload or a failed reload does not
/// empty the screen.
public enum LoadState<Value> {
    /// No value is loaded, and no load has been requested.
    case idle
    /// A load is under way; `previous` is the value of an earlier load of the same ID.
    case loading(previous: Value?)
    /// The last load returned this value.
    case loaded(Value)
    /// The value has been deleted, by a mutation that may still be unconfirmed.
    case deleted
    /// The last load failed; `previous` is the value of an earlier load of the same ID.
    case failed(any Error, previous: Value?)

    /// The value to show: the loaded value or, during a reload or after its failure, the previous
    /// value.
    public var value: Value? {
        switch self {
        case .idle, .deleted: nil
        case .loaded(let value): value
        case .loading(let previous), .failed(_, let previous): previous
        }
    }

    /// The error of the last load, if it failed and no other load is under way.
    public var error: (any Error)? {
        if case .failed(let error, _) = self { error } else { nil }
    }

    /// Whether the value does not exist: it has been deleted, or the last load failed because the
    /// server does not have it.
    ///
    /// The error of a load says so if it is an error of `BackplaneNetworking` with the status 404
    /// or 410.
    public var isMissing: Bool {
        if case .deleted = self { return true }
        return (error as? any ServerFailure)?.isMissing == true
    }

    /// Whether a load is under way.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }
}

extension LoadState: Sendable where Value: Sendable {}
