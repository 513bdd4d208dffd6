/// The number of things that clients hold, with a limit for each client and one for the network
/// around it.
public struct NetworkCounts: Sendable {
    private let limits: (client: Int, surroundings: Int)
    private var counts: [String: Int] = [:]

    /// Creates counts of zero.
    ///
    /// - Parameters:
    ///   - client: the largest number for one client.
    ///   - surroundings: the largest number for all clients of the network around one.
    public init(client: Int, surroundings: Int) {
        limits = (client, surroundings)
    }

    /// The network that is at its limit, if a client must wait because of that.
    public func fullNetwork(of networks: ClientNetworks) -> String? {
        if counts[networks.client, default: 0] >= limits.client { return networks.client }
        if counts[networks.surroundings, default: 0] >= limits.surroundings { return networks.surroundings }
        return nil
    }

    /// Counts one more.
    public mutating func add(_ networks: ClientNetworks) {
        for network in networks.keys { counts[network, default: 0] += 1 }
    }

    /// Counts one less.
    public mutating func remove(_ networks: ClientNetworks) {
        for network in networks.keys {
            guard let count = counts[network] else { continue }
            counts[network] = count > 1 ? count - 1 : nil
        }
    }

    /// The number of networks in memory.
    public var networkCount: Int { counts.count }

    /// The number of the network around a client.
    public func count(around networks: ClientNetworks) -> Int { counts[networks.surroundings, default: 0] }

    /// The number of a network.
    func count(of network: String) -> Int { counts[network, default: 0] }
}

extension ClientNetworks {
    /// Both networks, once if they are the same.
    fileprivate var keys: Set<String> { [client, surroundings] }
}
