import CoreMetrics
import Foundation
import Logging
import ServerLimits

/// The storing of sessions and windows across restarts.
extension Sessions {
    private typealias RecordKey = StoredRecords.Key

    /// Loads the sessions of an earlier host, unless they were idle too long.
    ///
    /// The sessions come back with their cookies. Their windows come back when a page asks for
    /// them.
    ///
    /// - Throws: ``WebHostError`` with ``WebHostError/Code/storeUnreadable``.
    func load() async throws {
        guard let store else { return }
        let stored: StoredRecords
        do {
            stored = StoredRecords(try await store.records())
        } catch {
            throw WebHostError.storeUnreadable(cause: error)
        }
        for key in stored.unreadable {
            logger.error("The stored record '\(key)' cannot be read and is removed. The session or window is lost.")
        }
        await write(nothing(for: stored.unreadable + stored.orphans))

        for (key, record) in stored.sessions {
            // If the clock was set back, the difference is negative, and the session counts as new.
            // A damaged record can have any time, and a duration has a limit.
            let seconds = configuration.now().timeIntervalSince(record.usedAt)
            let idle = Duration.seconds(min(max(0, seconds), 1e9))
            sessions[key] = Session(
                cookie: record.cookie,
                // An earlier host knew it, and a user who comes back must not be forgotten early.
                isUsed: true,
                lastUse: stopwatch.elapsed() - idle,
                dormant: stored.windows[key] ?? [:],
                record: record
            )
            if idle < configuration.sessionIdle {
                keys[record.cookie] = key
                noteConnection(of: key)
            } else {
                // The cookie is already invalid. There may be many such sessions, so the start does
                // not wait for them.
                Task { await end(key) }
            }
        }
        metrics.sessions.record(sessions.count)
        if sessions.values.contains(where: { $0.dormant.values.contains(where: \.isScripted) }) {
            dormantDrop = Task { [weak self, clock = configuration.clock, grace = configuration.windowGrace] in
                do { try await clock.sleep(for: grace) } catch { return }
                await self?.dropDormantWindows()
            }
        }
    }

    /// Discards the windows whose pages run the script, because they would have reconnected by now.
    private func dropDormantWindows() async {
        for (key, session) in sessions {
            let lost = session.dormant.filter(\.value.isScripted).keys
            for fingerprint in lost { sessions[key]?.dormant[fingerprint] = nil }
            await write(nothing(for: lost.map(RecordKey.window)))
        }
    }

    /// Discards one window that was not restored.
    func dropDormantWindow(_ fingerprint: String, of key: Key) async {
        sessions[key]?.dormant[fingerprint] = nil
        await write(nothing(for: [RecordKey.window(fingerprint)]))
    }

    // MARK: Changes

    /// Checks that changes can be stored, and repeats those that the store has refused.
    ///
    /// - Returns: whether they are stored, or there is no store.
    func checkStore() async -> Bool {
        guard let store else { return true }
        do {
            try await store.check()
        } catch {
            logger.error("Sessions cannot be stored: \(error)")
            return false
        }
        return await isStored()
    }

    /// Returns whether the store has everything that was written, after it has had another chance.
    func isStored() async -> Bool {
        await writer?.write([:])
        return writer?.isWorking ?? true
    }

    /// Closes the store after the last change.
    func closeStore() async {
        do {
            try await store?.close()
        } catch {
            logger.error("The store of sessions could not be closed, but is complete: \(error)")
        }
    }

    /// Returns whether the app can keep what its users do.
    func checkApp() async -> Bool {
        do {
            try await app.check?()
            return true
        } catch {
            logger.error("The app cannot store what its users do: \(error)")
            return false
        }
    }

    /// Returns when the app has stored what it had begun to store for a session.
    func finishStoring(of key: Key) async {
        guard let finishStoring = app.finishStoring, let scope = await scope(of: key) else { return }
        await finishStoring(scope)
    }

    /// Stores a window's record, unless the window has ended in the meantime.
    func keep(_ record: WindowRecord, of window: WindowID) async {
        let key = record.session
        guard sessions[key]?.windows[window] != nil else { return }
        sessions[key]?.windows[window]?.isStored = true
        var changes = encoded(record, RecordKey.window(window.secret.fingerprint))
        if sessions[key]?.record == nil { changes.merge(sessionChange(key)) { $1 } }
        await write(changes)
    }

    /// Stores that a session is in use, if it is stored at all, from time to time and not for each
    /// use.
    func storeUse(of key: Key) {
        guard let record = sessions[key]?.record,
            configuration.now().timeIntervalSince(record.usedAt) >= configuration.sessionIdle / 30 / .seconds(1)
        else { return }
        let change = sessionChange(key)
        Task { await write(change) }
    }

    /// Stores a session's new cookie, and removes the windows that were not restored.
    func storeRenewal(of key: Key, removing dormant: some Collection<String>) async {
        await write(sessionChange(key).merging(nothing(for: dormant.map(RecordKey.window))) { $1 })
    }

    /// Removes a session that has ended from the store.
    func remove(_ session: Session, _ key: Key) async {
        guard session.record != nil else { return }
        let windows = session.windows.keys.map(\.secret.fingerprint) + session.dormant.keys
        await write(nothing(for: [RecordKey.session(key)] + windows.map(RecordKey.window)))
    }

    /// Removes a window that has ended from the store.
    func remove(_ tenancy: Tenancy) async {
        guard tenancy.isStored else { return }
        await write(nothing(for: [RecordKey.window(tenancy.window.id.secret.fingerprint)]))
    }

    private func sessionChange(_ key: Key) -> [String: Data?] {
        guard let session = sessions[key] else { return [:] }
        let record = SessionRecord(cookie: session.cookie, usedAt: configuration.now())
        sessions[key]?.record = record
        return encoded(record, RecordKey.session(key))
    }

    private func nothing(for keys: some Collection<String>) -> [String: Data?] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, nil) })
    }

    private func encoded(_ record: some Encodable, _ key: String) -> [String: Data?] {
        do {
            return [key: try JSONEncoder().encode(record)]
        } catch {
            logger.error("The record '\(key)' cannot be encoded and is not stored: \(error)")
            return [:]
        }
    }

    private func write(_ changes: [String: Data?]) async {
        await writer?.write(changes)
    }
}
