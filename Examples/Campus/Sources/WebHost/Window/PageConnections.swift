/// The connections of the pages that show one window; usually there is one.
struct PageConnections {
    /// A signal that wakes a connection; only the newest signal counts.
    enum Signal {
        case changed
        case reconnect
        case reload
    }

    /// The place of a connection among the others.
    struct Connection: Sendable {
        let id: Int
        /// Whether the oldest connection gives way to this one.
        let isReplacing: Bool
    }

    /// The maximum number of connections.
    ///
    /// A page has one, but a server may notice late that an interrupted one is gone.
    static let limit = 4

    private var continuations: [Int: AsyncStream<Signal>.Continuation] = [:]
    private var count = 0

    /// Adds a connection that waits for `signals`, and wakes it at once.
    ///
    /// At the limit, it replaces the oldest connection, whose page reloads.
    mutating func add(_ signals: Signals) -> Connection {
        let oldest = continuations.count < Self.limit ? nil : continuations.keys.min()
        if let oldest, let continuation = continuations.removeValue(forKey: oldest) {
            continuation.yield(.reload)
            continuation.finish()
        }
        count += 1
        continuations[count] = signals.continuation
        signals.continuation.yield(.changed)
        return Connection(id: count, isReplacing: oldest != nil)
    }

    /// Removes a connection.
    mutating func remove(_ connection: Connection) {
        continuations[connection.id] = nil
    }

    /// Returns whether a connection has neither ended nor given way to another one.
    func contains(_ connection: Connection) -> Bool { continuations[connection.id] != nil }

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

    /// Tells a connection to an ended window that its page must reload.
    static func refuse(_ signals: Signals) -> Connection {
        signals.continuation.yield(.reload)
        signals.end()
        return Connection(id: 0, isReplacing: false)
    }
}

extension PageConnections {
    /// The signals of one connection, which is their only reader.
    struct Signals: Sendable {
        let stream: AsyncStream<Signal>
        fileprivate let continuation: AsyncStream<Signal>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

        /// Ends the connection after the signal that it has not read yet.
        func end() { continuation.finish() }
    }
}
