import Backplane
import Screens

/// Everyone's sessions, and the windows of each.
///
/// A *session* is a cookie and the app's data behind it; a *window* is one page load. Decides who is let in and how long
/// either lives; what a window does is the window's affair.
actor Sessions<Scope: Sendable> {
    /// A session's lasting identity: its cookie changes when it is renewed.
    typealias Key = Int

    /// Whom a request's cookie stands for.
    enum Admission {
        /// A session; `newCookie` replaces the cookie that the request came with.
        case session(Key, newCookie: Secret?)
        /// The cookie has just been replaced, and its successor is on its way to another window.
        case replaced
        /// Nobody.
        case unknown
    }

    private struct Tenancy {
        let window: Window
        /// Whether its page is known to run the script, and so to stay connected while it is open.
        var isScripted: Bool
        var connections = 0
        var lastUse: Int
        var expiry: Task<Void, Never>?
    }

    private struct Session {
        var cookie: Secret
        let scope: Scope
        var windows: [WindowID: Tenancy] = [:]
        var expiry: Task<Void, Never>?
    }

    /// A cookie that has been replaced, and the one window whose page may have the successor for it.
    private struct Handover {
        let key: Key
        let window: WindowID
        let expiry: Task<Void, Never>
    }

    private let app: WebApp<Scope>
    private let renderer: Renderer
    private let configuration: WebHostConfiguration

    private var sessions: [Key: Session] = [:]
    private var keys: [Secret: Key] = [:]
    private var handovers: [Secret: Handover] = [:]
    private var keyCount = 0
    private var useCount = 0

    init(app: WebApp<Scope>, renderer: Renderer, configuration: WebHostConfiguration) {
        self.app = app
        self.renderer = renderer
        self.configuration = configuration
    }

    // MARK: Sessions

    /// Finds whom `cookie` stands for, and counts that as a use of the session.
    ///
    /// A replaced cookie is good for one thing only: the window that replaced it, which an outsider cannot name, gets the
    /// new one for it.
    func admit(_ cookie: Secret?, window: WindowID?) -> Admission {
        guard let cookie else { return .unknown }
        if let key = keys[cookie] {
            endHandovers { $0.key == key }
            prolong(key)
            return .session(key, newCookie: nil)
        }
        guard let handover = handovers[cookie] else { return .unknown }
        guard handover.window == window, let session = sessions[handover.key] else { return .replaced }
        prolong(handover.key)
        return .session(handover.key, newCookie: session.cookie)
    }

    /// Makes a session for somebody new.
    func begin() async -> (key: Key, cookie: Secret) {
        keyCount += 1
        let key = keyCount
        let control = SessionControl(
            onRenew: { [weak self] window in await self?.renew(key, from: window) },
            onEnd: { [weak self] in await self?.end(key) }
        )
        let scope = await app.makeScope(control)
        let cookie = Secret.random()
        sessions[key] = Session(cookie: cookie, scope: scope)
        keys[cookie] = key
        prolong(key)
        return (key, cookie)
    }

    /// Replaces the session's cookie and ends every window but `window`.
    func renew(_ key: Key, from window: WindowID) async {
        guard let session = sessions[key], let kept = session.windows[window] else { return }
        let cookie = Secret.random()
        sessions[key]?.cookie = cookie
        keys[session.cookie] = nil
        keys[cookie] = key
        endHandovers { $0.key == key }
        handovers[session.cookie] = Handover(
            key: key,
            window: window,
            expiry: after(configuration.windowGrace) { await $0.endHandovers { $0.key == key } }
        )
        for id in session.windows.keys where id != window { await end(id, in: key) }
        await kept.window.reconnect()
    }

    /// Ends a session and its windows.
    func end(_ key: Key) async {
        guard let session = sessions.removeValue(forKey: key) else { return }
        keys[session.cookie] = nil
        endHandovers { $0.key == key }
        session.expiry?.cancel()
        for tenancy in session.windows.values {
            tenancy.expiry?.cancel()
            await tenancy.window.end()
        }
    }

    /// Ends every session.
    func endAll() async {
        for key in sessions.keys { await end(key) }
    }

    private func prolong(_ key: Key) {
        sessions[key]?.expiry?.cancel()
        sessions[key]?.expiry = after(configuration.sessionIdle) { await $0.end(key) }
    }

    private func endHandovers(where isEnded: (Handover) -> Bool) {
        for (cookie, handover) in handovers where isEnded(handover) {
            handover.expiry.cancel()
            handovers[cookie] = nil
        }
    }

    // MARK: Windows

    /// Makes a window in a session; `isScripted` if its page is known to connect.
    func makeWindow(in key: Key, isScripted: Bool) async -> Window? {
        guard let scope = sessions[key]?.scope else { return nil }
        let id = WindowID(secret: .random())
        let window = Window(id: id, renderer: renderer) { [assemble = app.assemble] motherboard, navigation in
            assemble(motherboard, navigation, scope, id)
        }
        useCount += 1
        sessions[key]?.windows[id] = Tenancy(window: window, isScripted: isScripted, lastUse: useCount)
        scheduleEnd(of: id, in: key)
        await evictWindows(in: key, sparing: id)
        return window
    }

    /// Finds a window that lives in the session, and counts that as a use of it.
    func window(_ id: WindowID, in key: Key) -> Window? {
        guard let window = sessions[key]?.windows[id]?.window else { return nil }
        useCount += 1
        sessions[key]?.windows[id]?.lastUse = useCount
        scheduleEnd(of: id, in: key)
        return window
    }

    /// Counts a page's connection to its window: while there is one the window stays.
    func attach(to id: WindowID, in key: Key) -> Window? {
        guard let window = sessions[key]?.windows[id]?.window else { return nil }
        sessions[key]?.windows[id]?.isScripted = true
        sessions[key]?.windows[id]?.connections += 1
        scheduleEnd(of: id, in: key)
        return window
    }

    /// Ends a page's connection; the last one leaves the window its grace.
    func detach(from id: WindowID, in key: Key) {
        sessions[key]?.windows[id]?.connections -= 1
        scheduleEnd(of: id, in: key)
    }

    /// Ends one window; the session goes on.
    func end(_ id: WindowID, in key: Key) async {
        guard let tenancy = sessions[key]?.windows.removeValue(forKey: id) else { return }
        tenancy.expiry?.cancel()
        await tenancy.window.end()
    }

    /// A window that ought to have a connection and has none ends after the grace.
    ///
    /// One whose page runs no script has none to lose, and stays while its session lasts: somebody may be typing.
    private func scheduleEnd(of id: WindowID, in key: Key) {
        guard let tenancy = sessions[key]?.windows[id] else { return }
        tenancy.expiry?.cancel()
        let isAbandoned = tenancy.isScripted && tenancy.connections == 0
        sessions[key]?.windows[id]?.expiry =
            isAbandoned ? after(configuration.windowGrace) { await $0.end(id, in: key) } : nil
    }

    private func evictWindows(in key: Key, sparing newest: WindowID) async {
        while let windows = sessions[key]?.windows, windows.count > configuration.windowLimit,
            let oldest = windows.filter({ $0.key != newest && $0.value.connections == 0 })
                .min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            await end(oldest.key, in: key)
        }
    }

    // MARK: Time

    private func after(
        _ delay: Duration,
        _ operation: @escaping @Sendable (Sessions) async -> Void
    ) -> Task<Void, Never> {
        Task { [weak self, clock = configuration.clock] in
            do { try await clock.sleep(for: delay) } catch { return }
            guard let self, !Task.isCancelled else { return }
            await operation(self)
        }
    }
}
