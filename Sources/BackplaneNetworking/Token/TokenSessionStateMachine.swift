/// The rules of a token session as a pure state machine: events in, what is to be done out.
///
/// It neither waits nor calls anybody; ``TokenSession`` keeps it behind a lock and does what it says. Time is the duration
/// since the session was made.
///
/// An *epoch* is one user being signed in; a *generation* is one pair of tokens within it. Every token that is handed out
/// is stamped with both, so that what comes back late can be recognised.
struct TokenSessionStateMachine<Waiter: Sendable>: Sendable {
    /// What becomes of a request that asks to wait for a token.
    enum WaitResult: Sendable {
        /// Nothing to wait for after all.
        case admitted(TokenCredential)
        case refused(NetworkError)
        /// The waiter is kept. A refresh to start comes with the first one.
        case waiting(starting: TokenRefresh?)
        /// There is no way to new tokens, so this ended the session.
        case expired(NetworkError, ended: Ended)
    }

    /// What is left of a session that has ended.
    struct Ended: Sendable {
        let tokens: NetworkTokens
        let waiters: [Waiter]
    }

    private struct TokenState: Sendable {
        var tokens: NetworkTokens
        /// When the access token should be replaced, if its expiry is known.
        var staleAt: Duration?
        /// When the access token stops being any good, if its expiry is known.
        var expiresAt: Duration?
        /// Whether the server has refused the access token.
        var isRefused = false
        /// How many refreshes in a row have failed for the time being.
        var failures = 0

        /// Tokens with an access token that is valid for `lifetime` from `instant` on.
        init(_ tokens: NetworkTokens, lifetime: Duration?, from instant: Duration) {
            self.tokens = tokens
            staleAt = lifetime.map { instant + $0 - NetworkTokens.margin(of: $0) }
            expiresAt = lifetime.map { instant + $0 }
        }
    }

    /// Whether a token that was handed out some time ago may still be used.
    enum Use {
        case allowed
        /// There are other tokens by now.
        case replaced
        case refused
    }

    typealias Revocation = @Sendable (NetworkTokens) async throws -> Void

    private enum Phase: Sendable {
        case active(TokenState)
        case refreshing(TokenState)
        /// The last refresh failed for a reason that may pass; there is none before `until`.
        case coolingDown(TokenState, until: Duration, NetworkError)
        case signedOut(NetworkError)
    }

    private(set) var epoch = 0
    private var generation = 0
    private var phase: Phase
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    /// How to revoke the tokens of refreshes that were under way when their user signed out.
    private var revocations: [TokenStamp: Revocation] = [:]

    init(tokens: NetworkTokens, lifetime: Duration?) {
        phase = .active(TokenState(tokens, lifetime: lifetime, from: .zero))
    }

    var isSignedIn: Bool {
        if case .signedOut = phase { false } else { true }
    }

    /// A name for a waiter, by which it can be cancelled.
    mutating func makeWaiterID() -> Int {
        lastWaiter += 1
        return lastWaiter
    }

    // MARK: Requests

    /// Throws unless the user of `epoch` is still signed in.
    func check(_ epoch: Int) throws {
        // Why the last epoch ended is said to its own requests only.
        if case .signedOut(let error) = phase, epoch >= self.epoch - 1 { throw error }
        if epoch != self.epoch { throw NetworkError.signedOut }
    }

    /// The token for a request, or `nil` if it has to wait for one.
    ///
    /// While a failed refresh is not yet to be repeated, there is no waiting: the token there is will do as long as it is
    /// valid, and after that the request fails as those did that waited.
    func credential(for epoch: Int, now: Duration) throws -> TokenCredential? {
        try check(epoch)
        switch phase {
        case .active(let holding): return isFresh(holding, at: now) ? credential(of: holding) : nil
        case .coolingDown(let holding, let until, let error):
            guard now < until else { return isFresh(holding, at: now) ? credential(of: holding) : nil }
            guard isValid(holding, at: now) else { throw error }
            return credential(of: holding)
        case .refreshing, .signedOut: return nil
        }
    }

    /// Has a request wait for a token.
    ///
    /// With the first one the session is refreshing, before anything can be awaited: whoever comes next finds it so.
    mutating func addWaiter(_ waiter: Waiter, as id: Int, epoch: Int, now: Duration) -> WaitResult {
        do {
            if let credential = try credential(for: epoch, now: now) { return .admitted(credential) }
        } catch {
            return .refused(error as? NetworkError ?? .signedOut)
        }
        if let holding = settledHolding, holding.tokens.refresh == nil {
            let error = NetworkError.sessionExpired(nil)
            return .expired(error, ended: end(holding, with: error))
        }
        waiters[id] = waiter
        return .waiting(starting: beginRefresh())
    }

    /// Begins a refresh, if there can be one and there is none yet.
    mutating func beginRefresh() -> TokenRefresh? {
        guard let holding = settledHolding, holding.tokens.refresh != nil else { return nil }
        phase = .refreshing(holding)
        return TokenRefresh(stamp: stamp, failures: holding.failures)
    }

    /// Removes a waiter that no longer waits, and only it: the refresh goes on.
    mutating func removeWaiter(_ id: Int) -> Waiter? {
        waiters.removeValue(forKey: id)
    }

    /// Whether the server has refused the tokens in use.
    var isRefused: Bool { holding?.isRefused ?? false }

    /// Whether a token may still be sent.
    func use(of stamp: TokenStamp) -> Use {
        guard stamp == self.stamp, let holding else { return .replaced }
        return holding.isRefused ? .refused : .allowed
    }

    /// Notes that the server refused a token.
    ///
    /// One that has been replaced since says nothing about its successor.
    mutating func refuse(_ stamp: TokenStamp) {
        guard stamp == self.stamp else { return }
        switch phase {
        case .active(var holding):
            holding.isRefused = true
            phase = .active(holding)
        case .refreshing(var holding):
            holding.isRefused = true
            phase = .refreshing(holding)
        case .coolingDown(var holding, let until, let error):
            holding.isRefused = true
            phase = .coolingDown(holding, until: until, error)
        case .signedOut: break
        }
    }

    // MARK: Refreshes

    /// The tokens that `refresh` is to replace; `nil` if it comes too late to matter.
    func tokens(for refresh: TokenRefresh) -> NetworkTokens? {
        guard refresh.stamp == stamp, case .refreshing(let holding) = phase else { return nil }
        return holding.tokens
    }

    /// Has `refresh` replace newer tokens, which somebody else has got for the session.
    mutating func take(_ tokens: NetworkTokens, for refresh: TokenRefresh) {
        guard refresh.stamp == stamp, case .refreshing(var holding) = phase else { return }
        holding.tokens = tokens
        phase = .refreshing(holding)
    }

    /// Puts tokens to use, for the waiters returned; `nil` if they come too late to be anybody's.
    mutating func commit(
        _ tokens: NetworkTokens,
        lifetime: Duration?,
        from instant: Duration,
        by refresh: TokenRefresh,
        now: Duration
    ) -> (credential: TokenCredential, waiters: [Waiter])? {
        guard refresh.stamp == stamp, case .refreshing = phase else { return nil }
        return replace(with: tokens, lifetime: lifetime, from: instant, now: now)
    }

    /// Goes on with the tokens there were after a refresh that failed for now, and leaves it at that for `pause`.
    ///
    /// - Returns: who waited, and for them the token if it is still valid; `nil` if it comes too late to matter.
    mutating func giveUp(
        _ refresh: TokenRefresh,
        with error: NetworkError,
        pause: Duration,
        now: Duration
    ) -> (credential: TokenCredential?, waiters: [Waiter])? {
        guard refresh.stamp == stamp, case .refreshing(var holding) = phase else { return nil }
        holding.failures += 1
        phase = .coolingDown(holding, until: now + pause, error)
        return (isValid(holding, at: now) ? credential(of: holding) : nil, removeWaiters())
    }

    /// Ends the session after a refresh that the server refused; `nil` if it comes too late to matter.
    mutating func expire(_ refresh: TokenRefresh, with error: NetworkError) -> Ended? {
        guard refresh.stamp == stamp, case .refreshing(let holding) = phase else { return nil }
        return end(holding, with: error)
    }

    // MARK: Users

    /// Begins an epoch, and returns what is left of the one before, if there was one.
    mutating func signIn(with tokens: NetworkTokens, lifetime: Duration?, now: Duration) -> Ended? {
        let ended = signOut()
        if ended == nil { epoch += 1 }
        phase = .active(TokenState(tokens, lifetime: lifetime, from: now))
        return ended
    }

    /// Puts other tokens of the same user to use, for the waiters returned; a refresh under way comes to nothing.
    ///
    /// - Returns: `nil` if nobody is signed in.
    mutating func replaceTokens(
        with tokens: NetworkTokens,
        lifetime: Duration?,
        now: Duration
    ) -> (tokens: NetworkTokens, credential: TokenCredential, waiters: [Waiter])? {
        guard let holding else { return nil }
        let tokens = tokens.succeeding(holding.tokens)
        let replaced = replace(with: tokens, lifetime: lifetime, from: now, now: now)
        return (tokens, replaced.credential, replaced.waiters)
    }

    /// Ends the epoch, and returns what is left of it; `nil` if nobody was signed in.
    mutating func signOut(revokingWith revoke: Revocation? = nil) -> Ended? {
        if case .refreshing = phase { revocations[stamp] = revoke }
        return holding.map { end($0, with: .signedOut) }
    }

    /// How to revoke what `refresh` brings, if its user has signed out.
    ///
    /// It is given once.
    mutating func takeRevocation(for refresh: TokenRefresh) -> Revocation? {
        revocations.removeValue(forKey: refresh.stamp)
    }

    // MARK: -

    private var stamp: TokenStamp { TokenStamp(epoch: epoch, generation: generation) }

    private var holding: TokenState? {
        switch phase {
        case .active(let holding), .refreshing(let holding), .coolingDown(let holding, _, _): holding
        case .signedOut: nil
        }
    }

    /// What is held while no refresh is under way.
    private var settledHolding: TokenState? {
        if case .refreshing = phase { nil } else { holding }
    }

    private func credential(of holding: TokenState) -> TokenCredential {
        TokenCredential(stamp: stamp, access: holding.tokens.access)
    }

    /// Whether the access token may be used without another thought.
    private func isFresh(_ holding: TokenState, at now: Duration) -> Bool {
        let isStale = holding.staleAt.map { $0 <= now } ?? false
        // Without a refresh token there is nothing better than a stale one, until the server refuses it.
        return !holding.isRefused && (!isStale || holding.tokens.refresh == nil)
    }

    /// Whether the access token is not known to be bad.
    private func isValid(_ holding: TokenState, at now: Duration) -> Bool {
        !holding.isRefused && holding.expiresAt.map { now < $0 } ?? true
    }

    private mutating func replace(
        with tokens: NetworkTokens,
        lifetime: Duration?,
        from instant: Duration,
        now: Duration
    ) -> (credential: TokenCredential, waiters: [Waiter]) {
        generation += 1
        var holding = TokenState(tokens, lifetime: lifetime, from: instant)
        // A token that looks stale as soon as it is issued is used until the server refuses it: another refresh would
        // only bring its like (N10).
        if let staleAt = holding.staleAt, staleAt <= now { holding = TokenState(tokens, lifetime: nil, from: instant) }
        phase = .active(holding)
        return (credential(of: holding), removeWaiters())
    }

    private mutating func end(_ holding: TokenState, with error: NetworkError) -> Ended {
        epoch += 1
        generation = 0
        phase = .signedOut(error)
        return Ended(tokens: holding.tokens, waiters: removeWaiters())
    }

    /// In the order of their arrival.
    private mutating func removeWaiters() -> [Waiter] {
        defer { waiters = [:] }
        return waiters.sorted { $0.key < $1.key }.map(\.value)
    }
}
