import Foundation

/// The decoded contents of a store: sessions and the windows of each session.
///
/// The keys of unreadable records, and of windows without a session, are listed separately. The
/// caller removes these records.
struct StoredRecords {
    private(set) var sessions: [SessionID: SessionRecord] = [:]
    /// The windows of each session, by the fingerprints of their IDs.
    private(set) var windows: [SessionID: [String: WindowRecord]] = [:]
    private(set) var unreadable: [String] = []
    private(set) var orphans: [String] = []

    init(_ records: [String: Data]) {
        for (key, data) in records {
            if let id = Key.session(inKey: key), let record = Self.read(SessionRecord.self, data) {
                sessions[id] = record
            } else if let fingerprint = Key.window(inKey: key), let record = Self.read(WindowRecord.self, data) {
                windows[record.session, default: [:]][fingerprint] = record
            } else {
                unreadable.append(key)
            }
        }
        for (session, lost) in windows where sessions[session] == nil {
            windows[session] = nil
            orphans += lost.keys.map(Key.window)
        }
    }

    private static func read<Record: Decodable>(_ type: Record.Type, _ data: Data) -> Record? {
        try? JSONDecoder().decode(type, from: data)
    }

    /// The keys of the store.
    enum Key {
        static func session(_ id: SessionID) -> String { "session/\(id)" }
        static func window(_ fingerprint: String) -> String { "window/\(fingerprint)" }

        static func session(inKey key: String) -> SessionID? {
            key.hasPrefix("session/") ? SessionID(rawValue: String(key.dropFirst(8))) : nil
        }

        static func window(inKey key: String) -> String? {
            key.hasPrefix("window/") ? String(key.dropFirst(7)) : nil
        }
    }
}

/// The stored part of a session.
struct SessionRecord: Codable, Equatable {
    /// The fingerprint of the session's cookie.
    var cookie: String
    /// The time of the last use, or slightly earlier, because not every use is stored.
    var usedAt: Date
}
