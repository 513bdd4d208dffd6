/// Where a link points before its path begins.
enum LinkOrigin: Hashable, Sendable {
    /// A bare path: `/course/abc123`.
    case path
    /// A scheme of the app's own: `myapp://course/abc123`. What looks like a host is the path's first segment.
    case app(scheme: String)
    /// A web address: `https://campus.example/course/abc123`.
    case web(scheme: String, LinkAuthority)
}

/// A host and a port, in the one form in which two of them can be compared.
struct LinkAuthority: Hashable, Sendable {
    /// Lower case, ASCII only: a host that merely looks like another is refused, not compared.
    let host: String
    let port: Int

    /// Reads `host` or `host:port` as RFC 3986, section 3.2 has it.
    ///
    /// A user name and IPv6 literals are refused.
    init(_ text: ArraySlice<UInt8>, defaultPort: Int) throws(LinkError) {
        if text.contains(Byte.at) {
            throw LinkError(.invalidAuthority, "The link names a user before its host. Remove it and its '@'.")
        }
        let colon = text.firstIndex(of: Byte.colon)
        let name = text[..<(colon ?? text.endIndex)]
        guard !name.isEmpty, name.allSatisfy(Byte.isHostCharacter) else {
            throw LinkError(
                .invalidAuthority,
                "The link's host is missing or has characters other than ASCII letters, digits, '-', '.' and '_'. "
                    + "Write an international domain name in its ASCII form (xn--…)."
            )
        }
        host = Byte.lowercased(name)
        guard let colon else {
            port = defaultPort
            return
        }
        let digits = text[(colon + 1)...]
        guard (1...5).contains(digits.count), digits.allSatisfy(Byte.isDigit),
            let port = Int(String(decoding: digits, as: UTF8.self)), port <= 65_535
        else {
            throw LinkError(.invalidAuthority, "The link's port is not a number from 0 to 65535.")
        }
        self.port = port
    }

    /// The host, and the port where it is not the scheme's own.
    func text(scheme: String) -> String {
        port == RawLink.defaultPort(ofWebScheme: scheme) ? host : "\(host):\(port)"
    }
}
