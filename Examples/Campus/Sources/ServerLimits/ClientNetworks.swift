#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The two networks of an IP address by which clients are limited.
///
/// A single client has one IPv4 address, or all IPv6 addresses with the same first 64 bits. A
/// customer of a provider has more: 256 IPv4 addresses are often rented at once, and a home or an
/// office has an IPv6 network of 56 or 48 bits. So the larger network has a limit, too.
public struct ClientNetworks: Hashable, Sendable {
    /// The network of one client: an IPv4 address, or the first 64 bits of an IPv6 address.
    public let client: String
    /// The network around it: the first 24 bits of an IPv4 address, or 48 bits of an IPv6 address.
    public let surroundings: String

    /// Finds the networks of an IP address; any other text is a network of its own.
    public init(of address: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        // An IPv4 address as a socket for IPv6 writes it.
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        if inet_pton(AF_INET6, address, &bytes) == 1, !bytes.starts(with: mapped) {
            let groups = stride(from: 0, to: 8, by: 2).map { index in
                String(Int(bytes[index]) << 8 | Int(bytes[index + 1]), radix: 16)
            }
            client = groups.joined(separator: ":") + "::/64"
            surroundings = groups.prefix(3).joined(separator: ":") + "::/48"
            return
        }
        client = bytes.starts(with: mapped) ? bytes.suffix(4).map { "\($0)" }.joined(separator: ".") : address
        let parts = client.split(separator: ".")
        surroundings = parts.count == 4 ? parts.prefix(3).joined(separator: ".") + ".0/24" : client
    }
}
