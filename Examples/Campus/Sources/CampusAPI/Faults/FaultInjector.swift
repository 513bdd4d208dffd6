/// Applies ``Faults`` to requests, and counts them down.
actor FaultInjector {
    /// What the faults look at in a request.
    struct Subject: Sendable {
        let path: String
        let carriesToken: Bool
        let writes: Bool
    }

    /// What becomes of a request when it has waited.
    enum Fate: Sendable {
        /// It is answered as ever.
        case answered
        /// It is carried out, and its answer lost.
        case unheard
    }

    private var faults: Faults
    private let clock: any Clock<Duration>
    /// One for each request that is held; it goes on when its stream ends.
    private(set) var held: [AsyncStream<Never>.Continuation] = []

    init(_ faults: Faults, clock: any Clock<Duration>) {
        self.faults = faults
        self.clock = clock
    }

    /// Replaces the faults; requests that are held go on, those that are being slowed down stay slow.
    func replace(with faults: Faults) {
        self.faults = faults
        for request in held { request.finish() }
        held = []
    }

    /// Makes a request suffer what the faults have for it: first it waits, then it fails.
    ///
    /// A token can only be refused to a request that carries one: a storm of 401s does not end who refreshes in it.
    ///
    /// - Returns: whether its answer arrives.
    /// - Throws: the failure, or `CancellationError` when the task is cancelled while it waits.
    func apply(to request: Subject) async throws -> Fate {
        // Decided before the wait: what a request will suffer does not depend on those that overtake it.
        let fate = takeFate(for: request)
        if faults.rules.contains(where: { $0.effect == .hold && $0.path.matches(request.path) }) { await hold() }
        if let delay = delay(for: request.path) { try await clock.sleep(for: delay) }
        try Task.checkCancellation()
        return try fate.get()
    }

    private func hold() async {
        let (end, continuation) = AsyncStream<Never>.makeStream()
        held.append(continuation)
        for await _ in end {}
    }

    private func delay(for path: String) -> Duration? {
        for rule in faults.rules where rule.path.matches(path) {
            if case .slow(let duration) = rule.effect { return duration }
        }
        return nil
    }

    private func takeFate(for request: Subject) -> Result<Fate, APIFailure> {
        for (index, rule) in faults.rules.enumerated() where rule.path.matches(request.path) {
            switch rule.effect {
            case .fail(let times) where times != 0:
                faults.rules[index].effect = .fail(times: times.map { $0 - 1 })
                return .failure(.unavailable)
            case .unauthorized(let times) where times != 0 && request.carriesToken:
                faults.rules[index].effect = .unauthorized(times: times.map { $0 - 1 })
                return .failure(.invalidToken)
            case .reject(let times) where times != 0 && request.writes:
                faults.rules[index].effect = .reject(times: times.map { $0 - 1 })
                return .failure(.refused)
            case .drop(let times) where times != 0 && request.writes:
                faults.rules[index].effect = .drop(times: times.map { $0 - 1 })
                return .success(.unheard)
            default:
                continue
            }
        }
        return .success(.answered)
    }
}
