/// The rules of a token session as a pure state machine: events in, what is to be done out.
///
/// It neither waits nor calls anybody; ``TokenSession`` keeps it behind a lock and does what it says. Time is the duration
/// since the session was made.
///
/// An *epoch* is one user being signed in; a *generation* is one pair of tokens within it. Every token that is handed out
/// is stamped with both, so that what comes back late can be recognised.
struct TokenSessionState<Waiter: Sendable>: Sendable {
    /// What becomes of a request that asks to wait for a token.
    enum Enrolment: Sendable {
        /// Nothing to wait for after all.
        case admitted(TokenCredential)
        case refused(NetworkError)
        /// The waiter is kept. A refresh to start comes with the first one.
        case waiting(starting: TokenRefresh?)
        /// There is no way to new tokens, so this ended the session.
        case expired(NetworkError)
    }

    private struct Holding: Sendable {
        var tokens: NetworkTokens
        /// When the access token should be replaced, if its expiry is known.
        var staleAt: Duration?
        /// Whether the server has refused the access token.
        var isRefused = false
    }

    private enum Phase: Sendable {
        case active(Holding)
        case refreshing(Holding)
        case signedOut(NetworkError)
    }

    private(set) var epoch = 0
    private var generation = 0
    private var phase: Phase
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0

    init(tokens: NetworkTokens, lifetime: Duration?) {
        phase = .active(Holding(tokens: tokens, staleAt: Self.staleAt(lifetime: lifetime, from: .zero)))
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
        if case .signedOut(let error) = phase { throw error }
        if epoch != self.epoch { throw NetworkError.signedOut }
    }

    /// The token for a request, or `nil` if it has to wait for one.
    func credential(for epoch: Int, now: Duration) throws -> TokenCredential? {
        try check(epoch)
        guard case .active(let holding) = phase else { return nil }
        return usable(holding, at: now)
    }

    /// Has a request wait for a token.
    ///
    /// With the first one the session is refreshing, before anything can be awaited: whoever comes next finds it so.
    mutating func enrol(_ waiter: Waiter, as id: Int, epoch: Int, now: Duration) -> Enrolment {
        do {
            try check(epoch)
        } catch {
            return .refused(error as? NetworkError ?? .signedOut)
        }
        guard case .active(let holding) = phase else {
            waiters[id] = waiter
            return .waiting(starting: nil)
        }
        if let credential = usable(holding, at: now) { return .admitted(credential) }
        guard let token = holding.tokens.refresh else {
            let error = NetworkError.sessionExpired(nil)
            end(with: error)
            return .expired(error)
        }
        waiters[id] = waiter
        phase = .refreshing(holding)
        return .waiting(starting: TokenRefresh(stamp: stamp, token: token))
    }

    /// Removes a waiter that no longer waits, and only it: the refresh goes on.
    mutating func removeWaiter(_ id: Int) -> Waiter? {
        waiters.removeValue(forKey: id)
    }

    /// Notes that the server refused a token.
    ///
    /// One that has been replaced since says nothing about its successor.
    mutating func refuse(_ stamp: TokenStamp) {
        guard stamp == self.stamp, case .active(var holding) = phase else { return }
        holding.isRefused = true
        phase = .active(holding)
    }

    // MARK: Refreshes

    /// The tokens that `refresh` brought, to be saved; `nil` if they come too late to be anybody's.
    func successor(by refresh: TokenRefresh, bringing tokens: NetworkTokens) -> NetworkTokens? {
        guard refresh.stamp == stamp, case .refreshing(let holding) = phase else { return nil }
        return tokens.succeeding(holding.tokens)
    }

    /// Puts saved tokens to use, for the waiters returned; `nil` if the session ended while they were saved.
    mutating func commit(
        _ tokens: NetworkTokens,
        by refresh: TokenRefresh,
        receivedAt: Duration,
        now: Duration
    ) -> (credential: TokenCredential, waiters: [Waiter])? {
        guard refresh.stamp == stamp, case .refreshing = phase else { return nil }
        generation += 1
        // A token that looks stale as soon as it is issued is used until the server refuses it: another refresh would
        // only bring its like.
        let staleAt = Self.staleAt(lifetime: tokens.expiresIn, from: receivedAt).flatMap { $0 > now ? $0 : nil }
        phase = .active(Holding(tokens: tokens, staleAt: staleAt))
        return (TokenCredential(stamp: stamp, access: tokens.access), removeWaiters())
    }

    /// Goes on with the tokens there were after a refresh that failed for now; `nil` if it comes too late to matter.
    mutating func giveUp(_ refresh: TokenRefresh) -> [Waiter]? {
        guard refresh.stamp == stamp, case .refreshing(let holding) = phase else { return nil }
        phase = .active(holding)
        return removeWaiters()
    }

    /// Ends the session after a refresh that the server refused; `nil` if it comes too late to matter.
    mutating func expire(_ refresh: TokenRefresh, with error: NetworkError) -> [Waiter]? {
        guard refresh.stamp == stamp, case .refreshing = phase else { return nil }
        return end(with: error)
    }

    // MARK: Users

    /// Begins an epoch, and returns those who waited for a token of the one before.
    mutating func signIn(with tokens: NetworkTokens, lifetime: Duration?, now: Duration) -> [Waiter] {
        let orphans = end(with: .signedOut)
        phase = .active(Holding(tokens: tokens, staleAt: Self.staleAt(lifetime: lifetime, from: now)))
        return orphans
    }

    /// Ends the epoch, and returns its tokens and those who waited; `nil` if nobody was signed in.
    mutating func signOut() -> (tokens: NetworkTokens, waiters: [Waiter])? {
        switch phase {
        case .active(let holding), .refreshing(let holding): (holding.tokens, end(with: .signedOut))
        case .signedOut: nil
        }
    }

    // MARK: -

    private var stamp: TokenStamp { TokenStamp(epoch: epoch, generation: generation) }

    private func usable(_ holding: Holding, at now: Duration) -> TokenCredential? {
        let isStale = holding.staleAt.map { $0 <= now } ?? false
        // Without a refresh token there is nothing better than a stale one, until the server refuses it.
        if holding.isRefused || (isStale && holding.tokens.refresh != nil) { return nil }
        return TokenCredential(stamp: stamp, access: holding.tokens.access)
    }

    @discardableResult
    private mutating func end(with error: NetworkError) -> [Waiter] {
        epoch += 1
        generation = 0
        phase = .signedOut(error)
        return removeWaiters()
    }

    /// In the order of their arrival.
    private mutating func removeWaiters() -> [Waiter] {
        defer { waiters = [:] }
        return waiters.sorted { $0.key < $1.key }.map(\.value)
    }

    /// When to replace a token: 30 seconds before it expires, or a tenth of its life if it is a short one, so that it does
    /// not expire on its way to the server.
    private static func staleAt(lifetime: Duration?, from instant: Duration) -> Duration? {
        lifetime.map { instant + $0 - min(.seconds(30), $0 / 10) }
    }
}
