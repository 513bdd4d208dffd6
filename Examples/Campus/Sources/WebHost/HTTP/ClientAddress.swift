import NIOCore

/// The IP address of a client, also behind proxies.
enum ClientAddress {
    /// Returns the address of the client that sent a request.
    ///
    /// Each proxy appends the address of its own peer to `X-Forwarded-For`, and a client can send
    /// any beginning of that list. So the list is read from its end, and only as long as the
    /// address of the sender is that of a trusted proxy.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - forwarded: the values of `X-Forwarded-For`.
    ///   - proxies: the trusted addresses, as ``normalized(_:)`` returns them.
    /// - Returns: the address; `nil` if it is not known.
    static func client(peer: String?, forwarded: [String], trusting proxies: Set<String>) -> String? {
        guard var client = peer.flatMap(normalized) else { return peer }
        var hops = forwarded.flatMap { $0.split(separator: ",") }
        while proxies.contains(client), let hop = hops.popLast(), let sender = normalized(String(hop)) {
            client = sender
        }
        return client
    }

    /// Returns an address in its canonical form, without brackets and port; `nil` if the text is
    /// not an IP address.
    static func normalized(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, var text = words.first.map(String.init) else { return nil }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = String(text[..<end].dropFirst())
        } else if text.count(where: { $0 == ":" }) == 1 {
            text = String(text.prefix { $0 != ":" })
        }
        guard let address = try? SocketAddress(ipAddress: text, port: 0).ipAddress else { return nil }
        // An IPv4 address as a socket for IPv6 writes it.
        return address.hasPrefix("::ffff:") && address.contains(".") ? String(address.dropFirst(7)) : address
    }
}
