internal import BackplaneConcurrency
internal import BackplaneNetworking

/// The sign-in state of a session with everything that decides how it changes.
///
/// ``UserSession`` keeps it behind a lock. The functions change accounts and controllers, too, so
/// that all of them change in one step. Notifications and waits follow after the lock is released.
struct UserSessionModel<User: Identifiable & Sendable>: Sendable where User.ID: Sendable {
    /// An account and a vault that the session leaves.
    struct Departure: Sendable {
        /// The attempt to restore the user, which is to be cancelled.
        let attempt: Task<Void, Never>?
        /// The account that has ended, if there was one.
        let ended: EndedAccount?
        /// The rest of the sign-out of the last controller; `nil` if the vault has not been used.
        let leaving: PendingSignOut?
    }

    var state = UserSession<User>.State.unknown
    /// The account that has expired, and continues if its user signs in again.
    var expired: UserAccount<User>?
    /// The number of the last sign-in or sign-out, because the last one wins.
    private(set) var lastOrder = 0
    /// The load of the user who is signing in.
    private var signIn: Task<User, any Error>?
    /// The end of the last sign-in while it is under way, for calls that wait for it.
    private(set) var signInEnd: SharedResult?
    /// The last controller that may change the vault.
    ///
    /// It is signed out, and its operations on the vault have ended, before another controller
    /// changes the vault.
    var writer: SessionWriter?
    /// The result of the attempt to restore the user, for all its callers.
    private var resumption: SharedResult?
    private var attempt: Task<Void, Never>?
    /// The number of the last caller that waits for an attempt or a sign-in.
    private var lastCaller = 0

    /// Begins a sign-in or a sign-out.
    ///
    /// - Returns: The number of the call, and the load of the sign-in that it overtakes, which is
    ///   to be cancelled.
    mutating func beginOrder(
        loading signIn: Task<User, any Error>? = nil,
        until end: SharedResult? = nil
    ) -> (order: Int, overtaken: Task<User, any Error>?) {
        let overtaken = self.signIn
        (self.signIn, signInEnd) = (signIn, end)
        lastOrder += 1
        return (lastOrder, overtaken)
    }

    /// Returns whether the sign-in has not been overtaken, and forgets its load.
    mutating func endSignIn(_ order: Int) -> Bool {
        guard lastOrder == order else { return false }
        signIn = nil
        return true
    }

    /// Notes that a sign-in has ended, with any result.
    mutating func leaveLine(_ end: SharedResult) {
        if signInEnd === end { signInEnd = nil }
    }

    /// Returns the account of a user, if that user is signed in or the tokens of that user were the
    /// last to expire.
    func account(of id: User.ID) -> UserAccount<User>? {
        [state.account, expired].lazy.compactMap { $0 }.first { $0.id == id }
    }

    /// Joins the attempt to restore the user, or begins one.
    mutating func joinResumption() -> (resumption: SharedResult, number: Int, isFirst: Bool) {
        let lastCaller = makeCallerNumber()
        if let resumption { return (resumption, lastCaller, false) }
        let resumption = SharedResult()
        self.resumption = resumption
        return (resumption, lastCaller, true)
    }

    /// Returns the number of a caller that waits.
    mutating func makeCallerNumber() -> Int {
        lastCaller += 1
        return lastCaller
    }

    /// Keeps the task of the current attempt, so that a sign-out can cancel it.
    mutating func follow(_ attempt: Task<Void, Never>, for resumption: SharedResult) {
        if self.resumption === resumption { self.attempt = attempt }
    }

    mutating func endResumption(_ resumption: SharedResult) {
        if self.resumption === resumption { (self.resumption, attempt) = (nil, nil) }
    }

    mutating func signIn(_ account: UserAccount<User>) {
        state = .signedIn(account)
        expired = nil
        signIn = nil
    }

    /// Ends the account whose tokens have expired, unless they have been replaced since.
    mutating func expire(_ tag: AccountTag) -> EndedAccount? {
        guard let account = state.account, account.tag === tag, !account.controller.isSignedIn else { return nil }
        state = .signedOut(reason: .expired)
        expired = account
        return account.end(.expired)
    }

    /// Ends the current account, or the one that has expired, and signs out the last controller.
    mutating func depart(_ ending: AccountEnding, revokingWith revocation: TokenRevocation?) -> Departure {
        let ended = (state.account ?? expired)?.end(ending)
        expired = nil
        switch state {
        case .unknown: state = .signedOut(reason: ending == .signedOut ? .signedOut : nil)
        case .signedIn: state = .signedOut(reason: ending)
        case .signedOut(let reason):
            // After a sign-out, an earlier expiry is no news.
            if ended != nil || (reason != nil && ending == .signedOut) { state = .signedOut(reason: ending) }
        }
        let leaving = writer?.controller.beginSignOut(revokingWith: revocation)
        return Departure(attempt: attempt, ended: ended, leaving: leaving)
    }
}
