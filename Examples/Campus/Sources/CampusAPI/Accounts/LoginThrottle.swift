/// The limits for sign-in attempts.
///
/// There are four: for one account from one network, for all accounts from one network, and for
/// one account from all networks from which its user has never signed in, and from those of them
/// that belong to one larger network. A network from which the user has signed in before is exempt
/// from the last three. It has an hourly limit of its own instead. So guesses from elsewhere do not
/// lock the user out, and one larger network does not lock out all new ones.
///
/// The counts include attempts that are still being checked, so parallel guesses gain nothing. A
/// refused attempt is not counted, so a user is never locked out for longer than the window. The
/// time is that of a monotonic clock.
actor LoginThrottle {
    /// The numbers of attempts, and the windows in which they count.
    struct Limits: Sendable {
        var perPair = 5
        var perNetwork = 100
        /// The window of the first two limits.
        var window: Duration = .seconds(60)
        var perAccount = 100
        /// The part of ``perAccount`` that one larger network may use up.
        var perSurroundings = 20
        var accountWindow: Duration = .seconds(3600)
    }

    /// An account and a network; without a network, all that are not known for the account.
    struct Pair: Hashable, Sendable {
        let email: EmailAddress
        let network: String?
    }

    /// An attempt to sign in.
    struct Attempt: Hashable, Sendable {
        let email: EmailAddress
        let network: String
        /// Whether the user has signed in from the network before.
        let isKnown: Bool
        /// The larger network around ``network``; `nil` if it is not known.
        var surroundings: String?

        var pair: Pair { Pair(email: email, network: network) }
        fileprivate var accountKey: Pair { Pair(email: email, network: isKnown ? network : nil) }
        fileprivate var surroundingsKey: Pair? {
            isKnown ? nil : surroundings.map { Pair(email: email, network: $0) }
        }
    }

    private var pairs: AttemptWindow<Pair>
    private var networks: AttemptWindow<String>
    private var accounts: AttemptWindow<Pair>
    private var surroundings: AttemptWindow<Pair>
    private let elapsed: @Sendable () -> Duration
    /// The attempts that are being checked, and those that wait for their end.
    private var turns: [Pair: (checked: Int, waiting: [AsyncStream<Never>.Continuation])] = [:]
    private let waitingLimit: Int

    init(limits: Limits, clock: some Clock<Duration>) {
        pairs = AttemptWindow(limit: limits.perPair, window: limits.window)
        networks = AttemptWindow(limit: limits.perNetwork, window: limits.window)
        accounts = AttemptWindow(limit: limits.perAccount, window: limits.accountWindow)
        surroundings = AttemptWindow(limit: limits.perSurroundings, window: limits.accountWindow)
        waitingLimit = limits.perPair
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// The number of keys in memory.
    var keyCount: Int { pairs.keyCount + networks.keyCount + accounts.keyCount + surroundings.keyCount }

    /// Counts an attempt and returns its time.
    ///
    /// - Throws: status 429 with the time to wait, if there were too many attempts.
    func admit(_ attempt: Attempt) throws(APIFailure) -> Duration {
        let now = elapsed()
        let waits = [
            pairs.wait(for: attempt.pair, at: now),
            attempt.isKnown ? nil : networks.wait(for: attempt.network, at: now),
            accounts.wait(for: attempt.accountKey, at: now),
            attempt.surroundingsKey.flatMap { surroundings.wait(for: $0, at: now) },
        ]
        if let wait = waits.compactMap({ $0 }).max() { throw APIFailure.tooManyAttempts(retryAfter: wait) }
        pairs.add(attempt.pair, at: now)
        if !attempt.isKnown { networks.add(attempt.network, at: now) }
        accounts.add(attempt.accountKey, at: now)
        if let key = attempt.surroundingsKey { surroundings.add(key, at: now) }
        return now
    }

    /// Counts an attempt as ``admit(_:)`` does, if necessary after others that are being checked.
    ///
    /// A user who signs in at many places at once is not refused: attempts that succeed do not
    /// count. A few attempts for an account from a network can wait. Call ``end(_:)`` after the
    /// check.
    ///
    /// - Throws: status 429 with the time to wait, if there were too many attempts.
    func admitInTurn(_ attempt: Attempt) async throws -> Duration {
        while true {
            let refusal: APIFailure
            do throws(APIFailure) {
                let time = try admit(attempt)
                turns[attempt.pair, default: (0, [])].checked += 1
                return time
            } catch {
                refusal = error
            }
            guard let turn = turns[attempt.pair], turn.waiting.count < waitingLimit else { throw refusal }
            let (ends, end) = AsyncStream<Never>.makeStream()
            turns[attempt.pair]?.waiting.append(end)
            for await _ in ends {}
            try Task.checkCancellation()
        }
    }

    /// Notes that an attempt is checked, and lets those go on that wait for it.
    func end(_ attempt: Attempt) {
        guard let turn = turns.removeValue(forKey: attempt.pair) else { return }
        if turn.checked > 1 { turns[attempt.pair] = (turn.checked - 1, []) }
        for end in turn.waiting { end.finish() }
    }

    /// The number of attempts for an account from a network that wait.
    func waitingCount(_ pair: Pair) -> Int { turns[pair]?.waiting.count ?? 0 }

    /// Does not count an attempt any more, because its password was not checked.
    func withdraw(_ attempt: Attempt, at time: Duration) {
        pairs.remove(attempt.pair, at: time)
        if !attempt.isKnown { networks.remove(attempt.network, at: time) }
        accounts.remove(attempt.accountKey, at: time)
        if let key = attempt.surroundingsKey { surroundings.remove(key, at: time) }
    }

    /// Forgets the failed attempts of a user who signed in, from this network.
    func forgive(_ attempt: Attempt, at time: Duration) {
        withdraw(attempt, at: time)
        pairs.removeAll(attempt.pair)
        if attempt.isKnown { accounts.removeAll(attempt.accountKey) }
    }
}
