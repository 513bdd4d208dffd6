import Backplane
import BackplaneNavigation
import Screens
import ServerLimits

/// The windows of sessions, and how long they live.
extension Sessions {
    /// The result of making a window.
    enum NewWindow {
        case made(Window)
        /// Every window of the session has a connected page.
        case limitReached
        case sessionEnded
    }

    /// Makes a window in a session; `isScripted` if its page runs the script and therefore
    /// connects.
    func makeWindow(in key: Key, isScripted: Bool) async -> NewWindow {
        guard let scope = await scope(of: key) else { return .sessionEnded }
        await evictWindows(in: key)
        guard let session = sessions[key] else { return .sessionEnded }
        guard session.windowCount < limit(of: session) else {
            security.note(.windowLimit, from: session.address, session: key)
            return .limitReached
        }
        let id = WindowID(secret: .random())
        let window = add(id, in: key, isScripted: isScripted, scope: scope, record: nil)
        await window.prepare(within: configuration.settleLimit, on: configuration.clock)
        return .made(window)
    }

    /// Finds a window of the session, or restores it from an earlier host, and counts this as a
    /// use.
    func window(_ id: WindowID, in key: Key) async -> Window? {
        await wake(id, in: key)
        guard let window = sessions[key]?.windows[id]?.window else { return nil }
        useCount += 1
        sessions[key]?.windows[id]?.lastUse = useCount
        scheduleEnd(of: id, in: key)
        guard await window.restore(within: configuration.settleLimit, on: configuration.clock) else {
            await end(id, in: key)
            return nil
        }
        return window
    }

    /// Adds a page's connection to its window, which stays as long as it has a connection.
    func attach(to id: WindowID, in key: Key) async -> Window? {
        await wake(id, in: key)
        guard sessions[key]?.windows[id] != nil else { return nil }
        // Counted first, because a restoration may last longer than the grace period.
        sessions[key]?.windows[id]?.isScripted = true
        sessions[key]?.windows[id]?.connections += 1
        streamCount += 1
        sessions[key]?.windows[id]?.isHidden = false
        if let window = await window(id, in: key) { return window }
        detach(from: id, in: key)
        return nil
    }

    /// Removes a page's connection; after the last one, the window stays for its grace period.
    func detach(from id: WindowID, in key: Key) {
        sessions[key]?.windows[id]?.connections -= 1
        streamCount -= 1
        scheduleEnd(of: id, in: key)
    }

    /// Returns whether a client may open another stream; the log says if not.
    func hasRoomForStream(from client: String?) -> Bool {
        guard streams.fullNetwork(of: ClientNetworks(of: client ?? "")) != nil else { return true }
        security.note(.streamLimit, from: client)
        return false
    }

    /// Counts a stream of a client; returns `false` if there are too many, and does not count it.
    func openStream(from client: String?) -> Bool {
        guard hasRoomForStream(from: client) else { return false }
        streams.add(ClientNetworks(of: client ?? ""))
        return true
    }

    /// Counts a stream that has ended.
    func closeStream(from client: String?) {
        streams.remove(ClientNetworks(of: client ?? ""))
    }

    /// Notes whether the page of a window is hidden.
    ///
    /// A hidden page closes its connection, because browsers allow only six connections to a host.
    /// Its window stays as long as its session.
    func setHidden(_ isHidden: Bool, _ id: WindowID, in key: Key) {
        sessions[key]?.windows[id]?.isHidden = isHidden
        scheduleEnd(of: id, in: key)
    }

    /// Ends one window; the session continues.
    func end(_ id: WindowID, in key: Key) async {
        guard let tenancy = sessions[key]?.windows.removeValue(forKey: id) else { return }
        windowCount -= 1
        graceAlarm.remove(Place(session: key, window: id))
        await remove(tenancy)
        await tenancy.window.end()
    }

    /// Creates a window from its stored record, if the session has one.
    private func wake(_ id: WindowID, in key: Key) async {
        let fingerprint = id.secret.fingerprint
        guard sessions[key]?.dormant[fingerprint] != nil, let scope = await scope(of: key),
            // The record is removed here, after the wait, so that two requests cannot both create
            // the window.
            let record = sessions[key]?.dormant.removeValue(forKey: fingerprint)
        else { return }
        _ = add(id, in: key, isScripted: record.isScripted, scope: scope, record: record)
    }

    private func add(
        _ id: WindowID,
        in key: Key,
        isScripted: Bool,
        scope: Scope,
        record: WindowRecord?
    ) -> Window {
        let keeping = WindowKeeping(session: key, isScripted: isScripted, logger: logger) { [weak self] record in
            await self?.keep(record, of: id)
        }
        let window = Window(
            id: id,
            renderer: renderer,
            metrics: metrics,
            keeping: store == nil ? nil : keeping,
            record: record,
            prepare: preparation(with: scope)
        ) { [assemble = app.assemble] motherboard, navigator in
            assemble(motherboard, navigator, scope, id)
        }
        useCount += 1
        windowCount += 1
        sessions[key]?.windows[id] = Tenancy(
            window: window,
            isScripted: isScripted,
            lastUse: useCount,
            isStored: record != nil
        )
        scheduleEnd(of: id, in: key)
        return window
    }

    private func preparation(with scope: Scope) -> (@Sendable (Motherboard) async -> Void)? {
        // This is not a capture list: a closure with one would not run on the window's actor.
        guard let prepare = app.prepare else { return nil }
        return { motherboard in await prepare(motherboard, scope) }
    }

    /// Starts the grace period of an abandoned window, or stops it.
    private func scheduleEnd(of id: WindowID, in key: Key) {
        guard let tenancy = sessions[key]?.windows[id] else { return }
        let place = Place(session: key, window: id)
        if tenancy.isAbandoned {
            graceAlarm.set(place, at: stopwatch.elapsed() + configuration.windowGrace)
        } else {
            graceAlarm.remove(place)
        }
    }

    /// Ends windows until there is room for another one, or every window has a connected page.
    ///
    /// Windows that were not restored end first, and then those unused for the longest time.
    private func evictWindows(in key: Key) async {
        while let session = sessions[key], session.windowCount >= limit(of: session) {
            if let fingerprint = session.dormant.keys.min() {
                await dropDormantWindow(fingerprint, of: key)
            } else if let oldest = session.windows.filter({ $0.value.connections == 0 })
                .min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                await end(oldest.key, in: key)
            } else {
                return
            }
        }
    }

    private func limit(of session: Session) -> Int {
        let (user, visitor) = (configuration.windowLimit, configuration.visitorWindowLimit)
        return session.visitor == nil ? user : min(user, visitor)
    }
}
