/// An event that a record or a list waits for; nothing else delays what it shows.
///
/// The article *Screen states* has all states with their waits.
package enum Wait: String {
    /// Nothing. Only the app or the user starts something.
    case nothing
    /// The end of a load: a value, an error or a cancellation; a newer load takes its place.
    case load = "a load"
    /// The outcome of a mutation, which is sent again until it is known. A loaded value that was
    /// set aside, or a reload, waits for it. The earlier value is shown meanwhile.
    case outcome = "an outcome"
}

extension RecordStateMachine {
    /// The event that the record waits for.
    package var awaited: Wait {
        if isLoading { return .load }
        return awaitsOutcome ? .outcome : .nothing
    }

    /// The state that loaders show.
    package var state: LoadState<Value> {
        if isLoading { return .loading(previous: visible.value) }
        if let loadError { return .failed(loadError, previous: visible.value) }
        return switch visible {
        case .present(let value): .loaded(value)
        case .absent: .deleted
        case .notLoaded: .idle
        }
    }
}

extension PageStateMachine {
    /// The event that the list waits for.
    package var awaited: Wait { isLoading ? .load : .nothing }

    /// Returns the state that the list shows with these items.
    package func state<Item>(with items: [Item]) -> LoadState<[Item]> {
        let previous = hasLoaded || !items.isEmpty ? items : nil
        if isLoading { return .loading(previous: previous) }
        if let error { return .failed(error, previous: previous) }
        return previous.map { .loaded($0) } ?? .idle
    }
}
