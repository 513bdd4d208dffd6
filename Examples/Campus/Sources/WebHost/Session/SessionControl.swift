/// What an app may ask of the host about a person's session.
///
/// Safe to use from any actor and to keep as long as you like; once the session has ended it does nothing.
public struct SessionControl: Sendable {
    /// The session's lasting identity, under which an app keeps what is to come back with it.
    public let id: SessionID

    /// What the browser called itself, in `User-Agent`, when the session began; nil if it did not say, or that was in an earlier
    /// process.
    public let client: String?

    private let onRenew: @Sendable (WindowID) async -> Void
    private let onEnd: @Sendable () async -> Void

    init(
        id: SessionID,
        client: String?,
        onRenew: @escaping @Sendable (WindowID) async -> Void,
        onEnd: @escaping @Sendable () async -> Void
    ) {
        self.id = id
        self.client = client
        self.onRenew = onRenew
        self.onEnd = onEnd
    }

    /// Gives the session a new name, so that a name somebody planted before the login is worth nothing after it.
    ///
    /// Call it when a person has logged in, before showing what is theirs. The page `window` shows goes on and is handed
    /// the new cookie by the next answer it gets; every other window of the session ends, and its page starts anew.
    public func renew(from window: WindowID) async {
        await onRenew(window)
    }

    /// Ends the session, as for a log-out: its windows end, their motherboards complete, and open pages start anew as
    /// nobody's.
    public func end() async {
        await onEnd()
    }
}
