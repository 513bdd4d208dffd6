import Foundation
import Logging

/// What outlasts the process.
extension Sessions {
    private typealias RecordKey = StoredRecords.Key

    /// Takes up what an earlier host has left: sessions that were not idle for too long come back with their cookies, and
    /// their windows when somebody asks for them.
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
            logger.error("The stored record '\(key)' cannot be read and is removed; whom it belonged to starts anew.")
        }
        await write(nothing(for: stored.unreadable + stored.orphans))

        for (key, record) in stored.sessions {
            sessions[key] = Session(
                cookie: record.cookie,
                dormant: stored.windows[key] ?? [:],
                record: record
            )
            // A clock that was set back makes nobody younger than new.
            let idle = max(.zero, Duration.seconds(configuration.now().timeIntervalSince(record.usedAt)))
            if idle < configuration.sessionIdle {
                keys[record.cookie] = key
                expire(key, after: configuration.sessionIdle - idle)
            } else {
                // Nobody is let in by its cookie any more; there may be many, and nobody has to wait for that.
                Task { await end(key) }
            }
        }
        if sessions.values.contains(where: { $0.dormant.values.contains(where: \.isScripted) }) {
            _ = after(configuration.windowGrace) { await $0.dropDormantWindows() }
        }
    }

    /// Gives up the windows whose page would have come back by now, since it runs a script that tries.
    private func dropDormantWindows() async {
        for (key, session) in sessions {
            let lost = session.dormant.filter(\.value.isScripted).keys
            for fingerprint in lost { sessions[key]?.dormant[fingerprint] = nil }
            await write(nothing(for: lost.map(RecordKey.window)))
        }
    }

    /// Gives up one such window.
    func dropDormantWindow(_ fingerprint: String, of key: Key) async {
        sessions[key]?.dormant[fingerprint] = nil
        await write(nothing(for: [RecordKey.window(fingerprint)]))
    }

    // MARK: Changes

    /// Keeps what a window says of itself, unless the window has ended meanwhile.
    func keep(_ record: WindowRecord, of window: WindowID) async {
        let key = record.session
        guard sessions[key]?.windows[window] != nil else { return }
        sessions[key]?.windows[window]?.isStored = true
        var changes = encoded(record, RecordKey.window(window.secret.fingerprint))
        if sessions[key]?.record == nil { changes.merge(sessionChange(key)) { $1 } }
        await write(changes)
    }

    /// Writes down that a session is in use, if it is stored at all, now and then rather than each time.
    func noteUse(of key: Key) {
        guard let record = sessions[key]?.record,
            configuration.now().timeIntervalSince(record.usedAt) >= configuration.sessionIdle / 30 / .seconds(1)
        else { return }
        let change = sessionChange(key)
        Task { await write(change) }
    }

    /// Has a session's new cookie stored, and the other windows removed that nobody has come back to.
    func storeRenewal(of key: Key, removing dormant: some Collection<String>) async {
        await write(sessionChange(key).merging(nothing(for: dormant.map(RecordKey.window))) { $1 })
    }

    /// Removes a session that has ended.
    func remove(_ session: Session, _ key: Key) async {
        guard session.record != nil else { return }
        let windows = session.windows.keys.map(\.secret.fingerprint) + session.dormant.keys
        await write(nothing(for: [RecordKey.session(key)] + windows.map(RecordKey.window)))
    }

    /// Removes a window that has ended.
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
