/// The origin of a link: the part before its path.
enum LinkOrigin: Hashable, Sendable {
    /// A bare path: `/course/abc123`.
    case path
    /// The app's own scheme: `myapp://course/abc123`.
    ///
    /// The part that looks like a host is the first segment of the path.
    case app(scheme: String)
    /// A web address: `https://campus.example/course/abc123`.
    case web(scheme: String, LinkAuthority)
}

/// A host and a port, in a normalized form that can be compared.
struct LinkAuthority: Hashable, Sendable {
    /// The host in lower-case ASCII.
    ///
    /// A host with other characters is refused, because it may only look like a known host.
    let host: String
    let port: Int

    /// Creates an authority from `host` or `host:port`, as in RFC 3986, section 3.2.
    ///
    /// User names and IPv6 literals are refused.
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

    /// Returns the host, with the port if it is not the scheme's default.
    func text(scheme: String) -> String {
        port == RawLink.defaultPort(ofWebScheme: scheme) ? host : "\(host):\(port)"
    }
}
