/// Applies ``Faults`` to requests, and counts them down.
actor FaultInjector {
    private var faults: Faults
    private let clock: any Clock<Duration>

    init(_ faults: Faults, clock: any Clock<Duration>) {
        self.faults = faults
        self.clock = clock
    }

    /// Replaces the faults; requests that are being slowed down stay slow.
    func replace(with faults: Faults) {
        self.faults = faults
    }

    /// Makes a request to `path` suffer what the faults have for it: first it waits, then it fails.
    ///
    /// A token can only be refused to a request that carries one: a storm of 401s does not end who refreshes in it.
    ///
    /// - Throws: the failure, or `CancellationError` when the task is cancelled while it waits.
    func apply(to path: String, carriesToken: Bool) async throws {
        // Decided before the wait: what a request will suffer does not depend on those that overtake it.
        let failure = takeFailure(for: path, carriesToken: carriesToken)
        if let delay = delay(for: path) { try await clock.sleep(for: delay) }
        if let failure { throw failure }
    }

    private func delay(for path: String) -> Duration? {
        for rule in faults.rules where rule.path.matches(path) {
            if case .slow(let duration) = rule.effect { return duration }
        }
        return nil
    }

    private func takeFailure(for path: String, carriesToken: Bool) -> APIFailure? {
        for (index, rule) in faults.rules.enumerated() where rule.path.matches(path) {
            switch rule.effect {
            case .fail(let times) where times != 0:
                faults.rules[index].effect = .fail(times: times.map { $0 - 1 })
                return .unavailable
            case .unauthorized(let times) where times != 0 && carriesToken:
                faults.rules[index].effect = .unauthorized(times: times.map { $0 - 1 })
                return .invalidToken
            default:
                continue
            }
        }
        return nil
    }
}
