/// The rules of a ``Loader``, without tasks: what each event changes, and what is to be done about it.
///
/// At most one load counts, the newest; it is known by its generation, so a late result of an older one is recognised
/// whatever its ID. Beneath it lies the state at rest, which a cancelled load falls back to.
struct LoadMachine<ID: Hashable, Value> {
    /// What the caller has to do after the machine has changed; after `nothing` it has not.
    enum Effect {
        case nothing
        /// Cancel the load under way, if any, and start this one.
        case start(ID, generation: Int)
        /// Cancel the load under way and tell those who wait that the loader is at rest.
        case cancel
        /// Tell those who wait that the loader is at rest.
        case settle
    }

    private struct Flight {
        let id: ID
        let generation: Int
    }

    private var restingID: ID?
    private var resting: LoadState<Value> = .idle
    private var flight: Flight?
    private var lastGeneration = 0

    /// The ID that ``state`` speaks of.
    var id: ID? { flight?.id ?? restingID }

    var state: LoadState<Value> {
        guard let flight else { return resting }
        return .loading(previous: previousValue(of: flight.id))
    }

    /// Joins a load of the same ID; supersedes one of another.
    mutating func load(_ id: ID) -> Effect {
        flight?.id == id ? .nothing : start(id)
    }

    /// Supersedes any load: what it would bring may be older than the reason to reload.
    mutating func reload() -> Effect {
        id.map { start($0) } ?? .nothing
    }

    mutating func retry() -> Effect {
        guard flight == nil, case .failed = resting else { return .nothing }
        return reload()
    }

    mutating func cancel() -> Effect {
        guard flight != nil else { return .nothing }
        flight = nil
        return .cancel
    }

    mutating func finish(_ generation: Int, with result: Result<Value, any Error>) -> Effect {
        guard let flight, flight.generation == generation else { return .nothing }
        self.flight = nil
        switch result {
        case .success(let value):
            resting = .loaded(value)
        case .failure(is CancellationError):
            return .settle
        case .failure(let error):
            resting = .failed(error, previous: previousValue(of: flight.id))
        }
        restingID = flight.id
        return .settle
    }

    private mutating func start(_ id: ID) -> Effect {
        lastGeneration += 1
        flight = Flight(id: id, generation: lastGeneration)
        return .start(id, generation: lastGeneration)
    }

    /// What was last loaded, if it was `id`: a value of something else is never shown in its place.
    private func previousValue(of id: ID) -> Value? {
        id == restingID ? resting.value : nil
    }
}
