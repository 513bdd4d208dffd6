import Logging

/// The number of connections that a server serves.
actor ConnectionCount {
    /// The reason why a connection is not served.
    enum Refusal {
        /// The server has too many connections.
        case serverIsFull
        /// The client, or the network around it, has too many connections.
        case networkIsFull
    }

    private let limits: ServerLimits
    private let logger: Logger
    private var count = 0
    private var networks: NetworkCounts
    /// The networks, and `nil` for the server, whose limit was reached and logged, and whose number
    /// has not fallen since.
    private var warned: Set<String?> = []

    init(_ limits: ServerLimits, logger: Logger) {
        self.limits = limits
        self.logger = logger
        networks = NetworkCounts(client: limits.maximumOfClient, surroundings: limits.maximumOfNetwork)
    }

    /// Counts a connection, unless there are too many.
    ///
    /// - Parameter client: the networks of the client; `nil` for one that has no limit of its own.
    /// - Returns: the reason why it is not served, and is not counted; otherwise `nil`.
    func open(from client: ClientNetworks?) -> Refusal? {
        guard count < limits.maximumConnections else {
            warn(nil, "The maximum number of connections is reached, and new ones get status 503")
            return .serverIsFull
        }
        if let network = client.flatMap(networks.fullNetwork) {
            warn(network, "A network has too many connections, and new ones get status 429")
            return .networkIsFull
        }
        count += 1
        if let client { networks.add(client) }
        return nil
    }

    /// Counts a connection that has ended.
    func close(from client: ClientNetworks?) {
        count -= 1
        if let client { networks.remove(client) }
        // A number that moves around the maximum must not fill the log.
        if count * 4 < limits.maximumConnections * 3 { warned.remove(nil) }
        for network in [client?.client, client?.surroundings].compactMap({ $0 })
        where networks.count(of: network) == 0 { warned.remove(network) }
    }

    private func warn(_ network: String?, _ message: Logger.Message) {
        guard warned.insert(network).inserted else { return }
        let metadata: Logger.Metadata =
            network.map { ["network": "\($0)"] } ?? ["maximum": "\(limits.maximumConnections)"]
        logger.warning(message, metadata: metadata)
    }
}
