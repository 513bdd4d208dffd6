/// The connections of the pages that show one window; usually there is one.
struct PageConnections {
    /// A signal that wakes a connection; only the newest signal counts.
    enum Signal {
        case changed
        case reconnect
        case reload
    }

    /// One connection of a page.
    struct Connection: Sendable {
        let id: Int
        let signals: AsyncStream<Signal>
        /// Whether the oldest connection gives way to this one.
        let isReplacing: Bool
    }

    /// The maximum number of connections.
    ///
    /// A page has one, but a server may notice late that an interrupted one is gone.
    static let limit = 4

    private var continuations: [Int: AsyncStream<Signal>.Continuation] = [:]
    private var count = 0

    /// Adds a connection and wakes it at once.
    ///
    /// At the limit, it replaces the oldest connection, whose page reloads.
    mutating func add() -> Connection {
        let oldest = continuations.count < Self.limit ? nil : continuations.keys.min()
        if let oldest, let continuation = continuations.removeValue(forKey: oldest) {
            continuation.yield(.reload)
            continuation.finish()
        }
        count += 1
        let (signals, continuation) = Self.makeSignals(with: .changed)
        continuations[count] = continuation
        return Connection(id: count, signals: signals, isReplacing: oldest != nil)
    }

    /// Removes a connection.
    mutating func remove(_ connection: Connection) {
        continuations[connection.id] = nil
    }

    /// Wakes all connections.
    func signal(_ signal: Signal) {
        for continuation in continuations.values { continuation.yield(signal) }
    }

    /// Sends a last signal to all connections, which no later signal replaces.
    mutating func dismiss(with signal: Signal) {
        self.signal(signal)
        for continuation in continuations.values { continuation.finish() }
        continuations = [:]
    }

    /// Returns a connection to an ended window, whose page reloads.
    static func ended() -> Connection {
        let (signals, continuation) = makeSignals(with: .reload)
        continuation.finish()
        return Connection(id: 0, signals: signals, isReplacing: false)
    }

    private static func makeSignals(
        with first: Signal
    ) -> (signals: AsyncStream<Signal>, continuation: AsyncStream<Signal>.Continuation) {
        let (signals, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield(first)
        return (signals, continuation)
    }
}
