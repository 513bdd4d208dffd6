/// An injector that applies ``Faults`` to requests and counts them down.
actor FaultInjector {
    /// The properties of a request that faults depend on.
    struct Subject: Sendable {
        let path: String
        let carriesToken: Bool
        let writes: Bool
    }

    /// The result for a request that does not fail.
    enum Fate: Sendable {
        /// The client receives the response.
        case responded
        /// The request is carried out, and status 503 takes the place of its response.
        case unheard
        /// The request is carried out, and the connection is closed in place of its response.
        case lost
        /// The request is carried out, and a text that is no JSON takes the place of its response.
        case garbled
    }

    private var faults: Faults
    private let clock: any Clock<Duration>
    /// A continuation for each held request, which continues when its stream ends.
    private(set) var held: [AsyncStream<Never>.Continuation] = []

    init(_ faults: Faults, clock: any Clock<Duration>) {
        self.faults = faults
        self.clock = clock
    }

    /// Replaces the faults; held requests continue, and requests that are being delayed stay
    /// delayed.
    func replace(with faults: Faults) {
        self.faults = faults
        for request in held { request.finish() }
        held = []
    }

    /// Applies the faults to a request: first it waits, then it may fail.
    ///
    /// The fault `unauthorized` applies only to requests with an access token. A refresh has none,
    /// so it does not get status 401, and the user stays signed in.
    ///
    /// - Returns: whether the response arrives.
    /// - Throws: the failure, or `CancellationError` if the task is cancelled while it waits.
    func apply(to request: Subject) async throws -> Fate {
        // The result is decided before the wait, so that it does not depend on later requests that
        // overtake.
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
            guard case .failure(let failure, let times) = rule.effect, times != 0, failure.applies(to: request) else {
                continue
            }
            faults.rules[index].effect = .failure(failure, times: times.map { $0 - 1 })
            return failure.fate
        }
        return .success(.responded)
    }
}

extension Faults.Failure {
    fileprivate func applies(to request: FaultInjector.Subject) -> Bool {
        switch self {
        case .fail, .deny, .lose, .garble: true
        case .unauthorized: request.carriesToken
        case .reject, .invalid, .ramble, .drop: request.writes
        }
    }

    fileprivate var fate: Result<FaultInjector.Fate, APIFailure> {
        switch self {
        case .fail: .failure(.unavailable)
        case .deny: .failure(.denied)
        case .unauthorized: .failure(.invalidToken)
        case .reject: .failure(.refused)
        case .invalid: .failure(.notAccepted)
        case .ramble: .failure(.rambling)
        case .drop: .success(.unheard)
        case .lose: .success(.lost)
        case .garble: .success(.garbled)
        }
    }
}
