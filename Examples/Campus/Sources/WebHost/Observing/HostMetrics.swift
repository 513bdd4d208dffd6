import CoreMetrics

/// The measurements of a host.
struct HostMetrics: Sendable {
    /// Measurements that go nowhere.
    static let none = HostMetrics(NOOPMetricsHandler.instance)

    let sessions: Gauge
    let windows: Gauge
    let streams: Gauge
    /// The number of patches that pages have received.
    let patches: Counter
    private let turns: Timer

    init(_ factory: any MetricsFactory) {
        sessions = Gauge(label: "web_host_sessions", factory: factory)
        windows = Gauge(label: "web_host_windows", factory: factory)
        streams = Gauge(label: "web_host_streams", factory: factory)
        patches = Counter(label: "web_host_patches", factory: factory)
        turns = Timer(label: "web_host_turn", factory: factory)
    }

    /// Measures how long a turn occupies its window.
    func turn<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        defer {
            let (seconds, attoseconds) = (ContinuousClock.now - start).components
            turns.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        }
        return try body()
    }
}
