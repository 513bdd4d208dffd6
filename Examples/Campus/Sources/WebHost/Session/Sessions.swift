import Backplane
import CoreMetrics
import Foundation
import Logging
import Screens
import ServerLimits

/// The sessions of all users, and the windows of each session.
///
/// A *session* is a cookie and the app's data behind it. A *window* is one page load. This actor
/// decides which requests are admitted, and how long sessions and windows live. It does not know
/// the contents of a window.
actor Sessions<Scope: Sendable> {
    /// A session's permanent ID, which stays the same when its cookie is renewed.
    typealias Key = SessionID

    /// The result of looking up a request's cookie.
    enum Admission {
        /// A session; `newCookie` replaces the cookie of the request.
        case session(Key, newCookie: Secret?)
        /// The cookie was just replaced, and its successor is on its way to another window.
        case replaced
        /// The cookie does not belong to a session.
        case unknown
    }

    struct Tenancy {
        let window: Window
        /// Whether its page is known to run the script, and so stays connected while it is open.
        var isScripted: Bool
        var connections = 0
        /// Whether its page is open but hidden, and has closed its connection for that reason.
        var isHidden = false
        var lastUse: Int
        var isStored = false

        /// Whether the window ends soon: its page runs the script, and is neither connected nor
        /// hidden.
        ///
        /// A window whose page does not run the script never has a connection. It stays as long as
        /// its session, because the user may be typing.
        var isAbandoned: Bool { isScripted && !isOpen }

        /// Whether the page is connected or hidden.
        var isOpen: Bool { connections > 0 || isHidden }
    }

    /// A window, and the session that it belongs to.
    struct Place: Hashable {
        let session: Key
        let window: WindowID
    }

    struct Session {
        /// The fingerprint of the cookie.
        var cookie: String
        var client: String?
        /// The IP address of the client that sent the last request.
        var address: String?
        /// The networks of a visitor; `nil` after a sign-in, and for an earlier host's session.
        var visitor: ClientNetworks?
        /// Whether the user has done something.
        var isUsed = false
        /// The time of the last page load or event.
        var lastUse = Duration.zero
        /// The app's data, made when it is first needed.
        var scope: Task<Scope, Never>?
        var windows: [WindowID: Tenancy] = [:]
        /// The windows of an earlier host that are not restored yet, by the fingerprints of their
        /// IDs.
        var dormant: [String: WindowRecord] = [:]
        /// The stored record of the session; `nil` if it is not stored.
        var record: SessionRecord?

        var windowCount: Int { windows.count + dormant.count }
        /// Whether the user has done something, or has an open page.
        var isInUse: Bool { isUsed || windows.values.contains(where: \.isOpen) }
    }

    /// A replaced cookie, and the only page that can receive its successor.
    private struct Handover {
        let key: Key
        let window: WindowID
        /// The key of the page; `nil` if no event of a page has renewed the session, so that nobody
        /// can receive the successor.
        let page: Secret?
        let successor: Secret

        func isFor(_ window: WindowID?, _ page: Secret?) -> Bool {
            guard let page, let expected = self.page else { return false }
            return self.window == window && expected.matches(page.digits)
        }
    }

    let app: WebApp<Scope>
    let renderer: Renderer
    let configuration: WebHostConfiguration
    let logger: Logger
    let security: SecurityLog
    let metrics: HostMetrics
    let store: (any SessionStore)?
    /// The writer to the store; `nil` if there is no store.
    let writer: SessionWriter?

    var sessions: [Key: Session] = [:]
    var windowCount = 0 { didSet { metrics.windows.record(windowCount) } }
    var streamCount = 0 { didSet { metrics.streams.record(streamCount) } }
    /// The sessions by the fingerprints of their cookies; handovers are stored in the same way.
    var keys: [String: Key] = [:]
    private var handovers: [String: Handover] = [:]
    /// The number of visitors of each network.
    var visitors: NetworkCounts
    /// The number of streams of each network, which a proxy passes on from one address.
    var streams: NetworkCounts
    var useCount = 0

    let stopwatch: Stopwatch
    /// Ends sessions that were idle too long.
    lazy var idleAlarm = Alarm<Key>(stopwatch) { [weak self] key in await self?.end(key) }
    /// Ends windows whose pages did not connect again.
    lazy var graceAlarm = Alarm<Place>(stopwatch) { [weak self] place in await self?.endAbandoned(place) }
    /// Ends handovers of cookies that no page has fetched.
    private lazy var handoverAlarm = Alarm<Key>(stopwatch) { [weak self] key in await self?.endHandover(of: key) }
    /// Discards windows that do not come back after a restart.
    var dormantDrop: Task<Void, Never>?

    init(
        app: WebApp<Scope>,
        renderer: Renderer,
        configuration: WebHostConfiguration,
        store: (any SessionStore)?,
        logger: Logger,
        security: SecurityLog,
        metrics: HostMetrics
    ) {
        self.app = app
        self.renderer = renderer
        self.configuration = configuration
        self.logger = logger
        self.security = security
        self.metrics = metrics
        self.store = store
        let connections = configuration.connections
        streams = NetworkCounts(client: connections.maximumOfClient, surroundings: connections.maximumOfNetwork)
        visitors = NetworkCounts(
            client: configuration.visitorLimit,
            surroundings: max(configuration.visitorLimit, configuration.visitorNetworkLimit)
        )
        stopwatch = Stopwatch(configuration.clock)
        writer = store.map { SessionWriter(store: $0, logger: logger) }
    }

    /// Finds the session of `cookie`, and counts this as a use of the session unless a page only
    /// connects.
    ///
    /// A replaced cookie is accepted for one purpose only: the page that replaced it can exchange
    /// it for the new cookie. An attacker may know the cookie and the window, but not the key of
    /// the page.
    ///
    /// - Parameters:
    ///   - cookie: the cookie of the request.
    ///   - window: the window that the request names.
    ///   - page: the key of the page that sends the request; `nil` if it has none.
    ///   - client: the IP address of the client.
    ///   - isConnection: whether an open page connects, which it may do at any time.
    /// - Returns: the session, if the cookie belongs to one.
    func admit(
        _ cookie: Secret?,
        window: WindowID?,
        page: Secret?,
        from client: String?,
        isConnection: Bool = false
    ) -> Admission {
        guard let cookie = cookie?.fingerprint else { return .unknown }
        if let key = keys[cookie] {
            endHandover(of: key)
            note(key, from: client, isConnection: isConnection)
            return .session(key, newCookie: nil)
        }
        guard let handover = handovers[cookie] else { return .unknown }
        guard handover.isFor(window, page), sessions[handover.key] != nil else { return .replaced }
        note(handover.key, from: client, isConnection: isConnection)
        return .session(handover.key, newCookie: handover.successor)
    }

    /// Updates a visit if the session was renewed while its request was running.
    ///
    /// - Returns: `false` if the browser may not see the session any more.
    func update(_ visit: inout Visit, for window: WindowID) -> Bool {
        let cookie = (visit.newCookie ?? visit.cookie).fingerprint
        if keys[cookie] == visit.session { return true }
        guard let handover = handovers[cookie], handover.isFor(window, visit.page) else { return false }
        visit.newCookie = handover.successor
        return true
    }

    /// Returns the session's data, which is made once.
    func scope(of key: Key) async -> Scope? {
        guard let session = sessions[key] else { return nil }
        let scope = session.scope ?? makeScope(for: key)
        sessions[key]?.scope = scope
        return await scope.value
    }

    private func makeScope(for key: Key) -> Task<Scope, Never> {
        let control = SessionControl(
            id: key,
            client: sessions[key]?.client,
            findAddress: { [weak self] in await self?.address(of: key) },
            onRenew: { [weak self] window in await self?.renew(key, from: window) },
            onEnd: { [weak self] in await self?.end(key) }
        )
        return Task { [app] in await app.makeScope(control) }
    }

    /// Replaces the session's cookie, and ends every window except `window`.
    func renew(_ key: Key, from window: WindowID) async {
        guard let session = sessions[key], let kept = session.windows[window] else { return }
        forgetVisitor(of: session)
        sessions[key]?.visitor = nil
        sessions[key]?.isUsed = true
        let cookie = Secret.random()
        sessions[key]?.cookie = cookie.fingerprint
        sessions[key]?.dormant = [:]
        keys[session.cookie] = nil
        keys[cookie.fingerprint] = key
        endHandover(of: key)
        handovers[session.cookie] = Handover(key: key, window: window, page: PageKey.current, successor: cookie)
        handoverAlarm.set(key, at: stopwatch.elapsed() + configuration.windowGrace)
        // The renewal is stored before a page receives the new cookie or shows data of the user.
        await storeRenewal(of: key, removing: session.dormant.keys)
        for id in session.windows.keys where id != window { await end(id, in: key) }
        await kept.window.reconnect()
    }

    /// Ends a session and its windows for good.
    func end(_ key: Key) async {
        guard let session = remove(key) else { return }
        await finish(session, key)
    }

    /// Ends the windows of a removed session, and has the app forget it.
    func finish(_ session: Session, _ key: Key) async {
        await remove(session, key)
        for tenancy in session.windows.values { await tenancy.window.end() }
        if session.scope != nil || session.record != nil {
            let scope = session.scope ?? makeScope(for: key)
            // This is a separate task, because the caller may be cancelled by the end of the
            // session, for example a board that signs out.
            await Task { [app] in await app.forgetScope(await scope.value) }.value
        }
    }

    /// Removes a session from this actor, but not from the store.
    func remove(_ key: Key) -> Session? {
        guard let session = sessions.removeValue(forKey: key) else { return nil }
        metrics.sessions.record(sessions.count)
        windowCount -= session.windows.count
        forgetVisitor(of: session)
        keys[session.cookie] = nil
        endHandover(of: key)
        idleAlarm.remove(key)
        for id in session.windows.keys { graceAlarm.remove(Place(session: key, window: id)) }
        return session
    }

    /// Ends every window, and without a store also every session.
    func close() async {
        dormantDrop?.cancel()
        idleAlarm.stop()
        graceAlarm.stop()
        handoverAlarm.stop()
        if store == nil {
            for key in sessions.keys { await end(key) }
            return
        }
        let windows = sessions.values.flatMap(\.windows.values).map(\.window)
        for window in windows { await window.save() }
        // The windows stay in the store, so that they can come back.
        for window in windows { await window.end() }
        await writer?.finish()
        await closeStore()
    }

    private func address(of key: Key) -> String? { sessions[key]?.address }

    private func note(_ key: Key, from client: String?, isConnection: Bool) {
        sessions[key]?.address = client
        if isConnection { noteConnection(of: key) } else { noteUse(of: key) }
    }

    /// Prolongs a session, because its user has loaded a page or sent an event.
    func noteUse(of key: Key) {
        sessions[key]?.lastUse = stopwatch.elapsed()
        setIdleAlarm(of: key, isInUse: sessions[key]?.isInUse ?? false)
        storeUse(of: key)
    }

    /// Keeps a session as long as that of a user, because it has an open page.
    ///
    /// It does not prolong the session further, although a page may connect again and again.
    func noteConnection(of key: Key) {
        setIdleAlarm(of: key, isInUse: true)
    }

    private func setIdleAlarm(of key: Key, isInUse: Bool) {
        guard let session = sessions[key] else { return }
        idleAlarm.set(key, at: session.lastUse + (isInUse ? configuration.sessionIdle : configuration.visitIdle))
    }

    private func endHandover(of key: Key) {
        handoverAlarm.remove(key)
        for (cookie, handover) in handovers where handover.key == key { handovers[cookie] = nil }
    }
}
