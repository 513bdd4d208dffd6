/// A limit for attempts by key within a time window that ends now.
struct AttemptWindow<Key: Hashable & Sendable>: Sendable {
    /// The number of keys above which keys without a recent attempt are removed.
    static var sweepThreshold: Int { 1024 }

    private let limit: Int
    private let window: Duration
    private var times: [Key: [Duration]] = [:]
    private var nextSweep = Self.sweepThreshold

    init(limit: Int, window: Duration) {
        self.limit = limit
        self.window = window
    }

    /// The number of keys in memory.
    var keyCount: Int { times.count }

    /// Returns the time until another attempt is allowed; `nil` if it is allowed now.
    func wait(for key: Key, at now: Duration) -> Duration? {
        let recent = recent(key, at: now)
        // With each attempt that leaves the window, another one is allowed.
        guard recent.count >= limit, let first = recent.dropFirst(recent.count - limit).first else { return nil }
        return first + window - now
    }

    /// Counts an attempt.
    mutating func add(_ key: Key, at now: Duration) {
        if times.count >= nextSweep {
            times = times.filter { $0.value.contains { isRecent($0, at: now) } }
            // Each sweep follows as many new keys as it looks at, so it costs little for each.
            nextSweep = max(Self.sweepThreshold, 2 * times.count)
        }
        times[key] = recent(key, at: now) + [now]
    }

    /// Does not count the attempt at `time` any more.
    mutating func remove(_ key: Key, at time: Duration) {
        guard var remaining = times[key], let index = remaining.firstIndex(of: time) else { return }
        remaining.remove(at: index)
        times[key] = remaining.isEmpty ? nil : remaining
    }

    /// Does not count the attempts of a key any more.
    mutating func removeAll(_ key: Key) {
        times[key] = nil
    }

    private func recent(_ key: Key, at now: Duration) -> [Duration] {
        times[key, default: []].filter { isRecent($0, at: now) }
    }

    private func isRecent(_ time: Duration, at now: Duration) -> Bool { time > now - window }
}
