/// The control of a user's session that the host gives to an app.
///
/// You can use it on any actor and keep it as long as you like. After the session has ended, it
/// does nothing.
public struct SessionControl: Sendable {
    /// The session's permanent ID, under which an app stores data that must outlast a restart.
    public let id: SessionID

    /// The browser's `User-Agent` from the start of the session; `nil` if it sent none, or if the
    /// session began in an earlier process.
    public let client: String?

    private let findAddress: @Sendable () async -> String?
    private let onRenew: @Sendable (WindowID) async -> Void
    private let onEnd: @Sendable () async -> Void

    init(
        id: SessionID,
        client: String?,
        findAddress: @escaping @Sendable () async -> String?,
        onRenew: @escaping @Sendable (WindowID) async -> Void,
        onEnd: @escaping @Sendable () async -> Void
    ) {
        self.id = id
        self.client = client
        self.findAddress = findAddress
        self.onRenew = onRenew
        self.onEnd = onEnd
    }

    /// The IP address of the client that sent the session's last request; `nil` if it is not known,
    /// or if the session has ended.
    ///
    /// Behind a proxy, it is the address that a trusted proxy reports: see
    /// ``WebHostConfiguration/trustedProxies``.
    public var clientAddress: String? {
        get async { await findAddress() }
    }

    /// Replaces the session's cookie, so that a cookie that an attacker planted before the sign-in
    /// becomes worthless.
    ///
    /// Call it after a user has signed in, and before you show the user's data, in the task that
    /// handles the event or in one that this task has started. Not every page of `window` continues
    /// then, but only the one that sent the event: it receives the new cookie with its next
    /// response. All others start again without the session.
    ///
    /// - Parameter window: the window whose page continues.
    public func renew(from window: WindowID) async {
        await onRenew(window)
    }

    /// Ends the session, for example for a sign-out.
    ///
    /// Its windows end, their motherboards complete, and open pages start again in a new session.
    public func end() async {
        await onEnd()
    }
}
