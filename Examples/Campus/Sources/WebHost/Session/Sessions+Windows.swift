import Backplane
import Screens

/// The windows of sessions, and how long they live.
extension Sessions {
    /// Makes a window in a session; `isScripted` if its page is known to connect.
    func makeWindow(in key: Key, isScripted: Bool) async -> Window? {
        guard let scope = await scope(of: key), sessions[key] != nil else { return nil }
        let id = WindowID(secret: .random())
        let window = add(id, in: key, isScripted: isScripted, scope: scope, record: nil)
        await evictWindows(in: key, sparing: id)
        await window.prepare(within: configuration.settleLimit, on: configuration.clock)
        return window
    }

    /// Finds a window that lives in the session, or did when another host ended, and counts that as a use of it.
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

    /// Counts a page's connection to its window: while there is one the window stays.
    func attach(to id: WindowID, in key: Key) async -> Window? {
        guard let window = await window(id, in: key), sessions[key]?.windows[id] != nil else { return nil }
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
        await remove(tenancy)
        await tenancy.window.end()
    }

    /// Makes a window of the record of one, if the session has it.
    private func wake(_ id: WindowID, in key: Key) async {
        let fingerprint = id.secret.fingerprint
        guard sessions[key]?.dormant[fingerprint] != nil, let scope = await scope(of: key),
            // Only now, or two requests might both make one.
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
            keeping: store == nil ? nil : keeping,
            record: record,
            prepare: preparation(with: scope)
        ) { [assemble = app.assemble] motherboard, navigation in
            assemble(motherboard, navigation, scope, id)
        }
        useCount += 1
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
        // Not a capture list: a closure with one would not run on the window's actor.
        guard let prepare = app.prepare else { return nil }
        return { motherboard in await prepare(motherboard, scope) }
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

    /// Keeps the session within its limit: first to go are windows that nobody has come back to.
    private func evictWindows(in key: Key, sparing newest: WindowID) async {
        while let session = sessions[key], session.windows.count + session.dormant.count > configuration.windowLimit {
            if let fingerprint = session.dormant.keys.min() {
                await dropDormantWindow(fingerprint, of: key)
            } else if let oldest = session.windows.filter({ $0.key != newest && $0.value.connections == 0 })
                .min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                await end(oldest.key, in: key)
            } else {
                return
            }
        }
    }
}
