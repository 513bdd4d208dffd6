/// The rules of a token session as a pure state machine, from events to required effects.
///
/// It never waits and calls no other code. ``TokenSession`` keeps it behind a lock and performs the
/// effects. Times are durations since the creation of the session.
///
/// An *epoch* is the time that one user is signed in. A *generation* is one pair of tokens within
/// an epoch. Every token that leaves the state machine is stamped with both, so late results are
/// recognized.
struct TokenSessionStateMachine<Waiter: Sendable>: Sendable {
    /// The result of a request to wait for a token.
    enum WaitResult: Sendable {
        /// A token is available, so there is no wait.
        case admitted(TokenCredential)
        case refused(NetworkError)
        /// The waiter is stored, and the first one also gets a refresh to start.
        case waiting(starting: TokenRefresh?)
        /// New tokens are not possible, so the session has ended.
        case expired(NetworkError, ended: Ended)
    }

    /// The remains of an ended session: its tokens, its waiters and its requests.
    struct Ended: Sendable {
        let tokens: NetworkTokens
        /// Whether the server has refused the access token.
        let isRefused: Bool
        let waiters: [Waiter]
        let requests: [Ending]
    }

    private struct TokenState: Sendable {
        var tokens: NetworkTokens
        /// The time when the access token should be replaced, if its expiry is known.
        var staleAt: Duration?
        /// The time when the access token expires, if known.
        var expiresAt: Duration?
        /// Whether the server has refused the access token.
        var isRefused = false
        /// The number of temporary refresh failures in a row.
        var failures = 0

        /// Creates the state of tokens whose access token is valid for `lifetime` from `instant`
        /// on.
        init(_ tokens: NetworkTokens, lifetime: Duration?, from instant: Duration) {
            self.tokens = tokens
            staleAt = lifetime.map { instant + $0 - NetworkTokens.margin(of: $0) }
            expiresAt = lifetime.map { instant + $0 }
        }
    }

    /// The permission to use a token that was supplied some time ago.
    enum Use {
        case allowed
        /// Other tokens have replaced it.
        case replaced
        case refused
    }

    /// Ends a request at once.
    typealias Ending = @Sendable (NetworkError) -> Void

    private enum Phase: Sendable {
        case active
        case refreshing
        /// The last refresh failed temporarily, and the next one starts at `until` at the earliest.
        case coolingDown(until: Duration, NetworkError)
    }

    private(set) var epoch = 0
    private var generation = 0
    /// The tokens of the user, or `nil` while no user is signed in.
    private var holding: TokenState?
    private var phase = Phase.active
    /// The reason for the end of the last epoch.
    private var end = NetworkError.signedOut
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    /// The last access tokens that the server has refused in this epoch.
    private var refusedTokens: [AccessToken] = []
    /// The requests under way, which end with their user.
    private var requests: [Int: Ending] = [:]
    /// The revocations for the tokens of refreshes that were running when their user signed out.
    private var revocations: [TokenStamp: TokenSession.Revocation] = [:]

    init(tokens: NetworkTokens, lifetime: Duration?) {
        holding = TokenState(tokens, lifetime: lifetime, from: .zero)
    }

    var isSignedIn: Bool { holding != nil }

    /// Returns the ID of a new waiter, which is used to cancel it.
    mutating func makeWaiterID() -> Int {
        lastWaiter += 1
        return lastWaiter
    }

    // MARK: Requests

    /// Notes a request under way, which ends when its user leaves.
    ///
    /// - Returns: The number by which the request is forgotten when it has ended.
    mutating func follow(_ epoch: Int, ending: @escaping Ending) throws -> Int {
        try check(epoch)
        let number = makeWaiterID()
        requests[number] = ending
        return number
    }

    mutating func forgetRequest(_ number: Int) {
        requests[number] = nil
    }

    /// Throws if the user of `epoch` is no longer signed in.
    func check(_ epoch: Int) throws {
        // Only requests of the last epoch learn the reason why it ended.
        if holding == nil, epoch >= self.epoch - 1 { throw end }
        if epoch != self.epoch { throw NetworkError.signedOut }
    }

    /// Returns the token for a request, or `nil` if the request has to wait for one.
    ///
    /// During the pause after a failed refresh, no request waits. Requests use the current token
    /// while it is valid. After that, they fail with the error of the refresh.
    func credential(for epoch: Int, now: Duration) throws -> TokenCredential? {
        try check(epoch)
        guard let holding else { return nil }
        switch phase {
        case .refreshing: return nil
        case .coolingDown(let until, let error) where now < until:
            guard isValid(holding, at: now) else { throw error }
            return credential(of: holding)
        case .active, .coolingDown: return isFresh(holding, at: now) ? credential(of: holding) : nil
        }
    }

    /// Makes a request wait for a token.
    ///
    /// The first waiter puts the session into the refreshing phase at once, before any suspension.
    /// All later requests therefore find it refreshing.
    mutating func addWaiter(_ waiter: Waiter, as id: Int, epoch: Int, now: Duration) -> WaitResult {
        do {
            if let credential = try credential(for: epoch, now: now) { return .admitted(credential) }
        } catch {
            return .refused(error as? NetworkError ?? .signedOut)
        }
        let error = NetworkError.sessionExpired(nil)
        if !isRefreshing, holding?.tokens.refresh == nil, let ended = endEpoch(with: error) {
            return .expired(error, ended: ended)
        }
        waiters[id] = waiter
        return .waiting(starting: beginRefresh())
    }

    /// Begins a refresh if there is a refresh token and no refresh is running.
    mutating func beginRefresh() -> TokenRefresh? {
        guard !isRefreshing, let holding, holding.tokens.refresh != nil else { return nil }
        phase = .refreshing
        return TokenRefresh(stamp: stamp, failures: holding.failures)
    }

    /// Removes a waiter; the refresh continues.
    mutating func removeWaiter(_ id: Int) -> Waiter? {
        waiters.removeValue(forKey: id)
    }

    /// Whether the server has refused the current tokens.
    var isRefused: Bool { holding?.isRefused ?? false }

    /// Returns whether a token may still be sent.
    func use(of stamp: TokenStamp) -> Use {
        guard stamp == self.stamp, let holding else { return .replaced }
        return holding.isRefused ? .refused : .allowed
    }

    /// Records that the server refused a token.
    ///
    /// The refusal of a token that has been replaced says nothing about its successor.
    mutating func refuse(_ stamp: TokenStamp) {
        guard stamp == self.stamp, let token = holding?.tokens.access else { return }
        holding?.isRefused = true
        if !refusedTokens.contains(token) { refusedTokens = refusedTokens.suffix(7) + [token] }
    }

    // MARK: Refreshes

    /// Returns the tokens that `refresh` has to replace, or `nil` if the refresh comes too late.
    func tokens(for refresh: TokenRefresh) -> NetworkTokens? {
        isUnderWay(refresh) ? holding?.tokens : nil
    }

    /// Makes `refresh` replace newer tokens, which another process has fetched for the session.
    mutating func take(_ tokens: NetworkTokens, for refresh: TokenRefresh) {
        if isUnderWay(refresh) { holding?.tokens = tokens }
    }

    /// Uses new tokens and returns the waiters for them, or `nil` if the tokens come too late for
    /// any user.
    mutating func commit(
        _ tokens: NetworkTokens,
        lifetime: Duration?,
        from instant: Duration,
        by refresh: TokenRefresh,
        now: Duration
    ) -> (credential: TokenCredential, waiters: [Waiter])? {
        guard isUnderWay(refresh) else { return nil }
        return replace(with: tokens, lifetime: lifetime, from: instant, now: now)
    }

    /// Keeps the refresh token of new tokens whose access token the server has refused before, and
    /// waits with the next refresh for `pause` (N21).
    ///
    /// Otherwise each request would refresh the tokens, only to get the same token again.
    ///
    /// - Returns: The waiters; `nil` if the tokens can be used, or come too late.
    mutating func refuse(
        _ tokens: NetworkTokens,
        by refresh: TokenRefresh,
        with error: NetworkError,
        pause: Duration,
        now: Duration
    ) -> [Waiter]? {
        guard isUnderWay(refresh), let holding, refusedTokens.contains(tokens.access) else { return nil }
        generation += 1
        var repeated = TokenState(tokens, lifetime: nil, from: now)
        (repeated.isRefused, repeated.failures) = (true, holding.failures + 1)
        self.holding = repeated
        phase = .coolingDown(until: now + pause, error)
        return removeWaiters()
    }

    /// Returns to the old tokens after a temporary failure, without another refresh for `pause`.
    ///
    /// - Returns: The waiters, and the token for them if it is still valid. `nil` if the failure
    ///   comes too late.
    mutating func giveUp(
        _ refresh: TokenRefresh,
        with error: NetworkError,
        pause: Duration,
        now: Duration
    ) -> (credential: TokenCredential?, waiters: [Waiter])? {
        guard isUnderWay(refresh), var holding else { return nil }
        holding.failures += 1
        self.holding = holding
        phase = .coolingDown(until: now + pause, error)
        return (isValid(holding, at: now) ? credential(of: holding) : nil, removeWaiters())
    }

    /// Ends the session after a refused refresh; returns `nil` if the refusal comes too late.
    mutating func expire(_ refresh: TokenRefresh, with error: NetworkError) -> Ended? {
        isUnderWay(refresh) ? endEpoch(with: error) : nil
    }

    // MARK: Users

    /// Begins an epoch, and returns the remains of the previous one if there was one.
    mutating func signIn(with tokens: NetworkTokens, lifetime: Duration?, now: Duration) -> Ended? {
        let ended = signOut()
        if ended == nil { epoch += 1 }
        holding = TokenState(tokens, lifetime: lifetime, from: now)
        return ended
    }

    /// Uses other tokens of the same user and returns the waiters; the result of a running refresh
    /// will be discarded.
    ///
    /// - Returns: `nil` if no user is signed in.
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

    /// Ends the epoch and returns its remains, or `nil` if no user was signed in.
    mutating func signOut(revokingWith revoke: TokenSession.Revocation? = nil) -> Ended? {
        if isRefreshing { revocations[stamp] = revoke }
        return endEpoch(with: .signedOut)
    }

    /// Returns, once, the revocation for the result of `refresh` if its user has signed out.
    mutating func takeRevocation(for refresh: TokenRefresh) -> TokenSession.Revocation? {
        revocations.removeValue(forKey: refresh.stamp)
    }

    // MARK: -

    private var stamp: TokenStamp { TokenStamp(epoch: epoch, generation: generation) }

    private var isRefreshing: Bool {
        if case .refreshing = phase { true } else { false }
    }

    /// Returns whether a refresh still has to replace the tokens of the user who is signed in.
    private func isUnderWay(_ refresh: TokenRefresh) -> Bool { refresh.stamp == stamp && isRefreshing }

    private func credential(of holding: TokenState) -> TokenCredential {
        TokenCredential(stamp: stamp, access: holding.tokens.access)
    }

    /// Returns whether the access token may be used without a refresh.
    private func isFresh(_ holding: TokenState, at now: Duration) -> Bool {
        let isStale = holding.staleAt.map { $0 <= now } ?? false
        // Without a refresh token, a stale access token is used until the server refuses it.
        return !holding.isRefused && (!isStale || holding.tokens.refresh == nil)
    }

    /// Returns whether the access token is neither refused nor expired.
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
        // A new token that already looks stale is used until the server refuses it. Another refresh
        // would only return a similar token (N10).
        if let staleAt = holding.staleAt, staleAt <= now { holding = TokenState(tokens, lifetime: nil, from: instant) }
        (self.holding, phase) = (holding, .active)
        return (credential(of: holding), removeWaiters())
    }

    private mutating func endEpoch(with error: NetworkError) -> Ended? {
        guard let holding else { return nil }
        epoch += 1
        generation = 0
        refusedTokens = []
        (self.holding, phase, end) = (nil, .active, error)
        defer { requests = [:] }
        return Ended(
            tokens: holding.tokens,
            isRefused: holding.isRefused,
            waiters: removeWaiters(),
            requests: Array(requests.values)
        )
    }

    /// Removes and returns the waiters in the order of their arrival.
    private mutating func removeWaiters() -> [Waiter] {
        defer { waiters = [:] }
        return waiters.sorted { $0.key < $1.key }.map(\.value)
    }
}
