import NIOCore
import ServerLimits

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The network address of a client.
struct ClientAddress: Hashable, Sendable {
    /// The IP address as text, for logs.
    let text: String
    /// The part of the address by which clients are limited.
    ///
    /// It is the whole of an IPv4 address, and the first 64 bits of an IPv6 address, because one
    /// user has all addresses that begin with them.
    let network: String
    /// The larger network around it.
    let surroundings: String

    /// Creates the address of a connection; a connection without an IP address is a local one.
    init(_ address: SocketAddress?) {
        var text = address?.ipAddress ?? "local"
        var network = text
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 {
            // An IPv4 client of an IPv6 socket.
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            if bytes.starts(with: mapped) {
                text = bytes.dropFirst(mapped.count).map { String($0) }.joined(separator: ".")
                network = text
            } else {
                network = bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
            }
        }
        self.text = text
        self.network = network
        surroundings = ClientNetworks(of: text).surroundings
    }

    /// Creates an address from its text; `nil` if it is not an IP address.
    init?(text: String) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }
}
