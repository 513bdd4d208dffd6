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
}

/// The ASCII that links are made of.
enum Byte {
    static let space = UInt8(ascii: " ")
    static let hash = UInt8(ascii: "#")
    static let percent = UInt8(ascii: "%")
    static let ampersand = UInt8(ascii: "&")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let equals = UInt8(ascii: "=")
    static let question = UInt8(ascii: "?")
    static let at = UInt8(ascii: "@")
    static let backslash = UInt8(ascii: "\\")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    static func isHostCharacter(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == dot || byte == UInt8(ascii: "_")
    }

    static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == dot
    }

    /// ASCII text in lower case.
    static func lowercased(_ text: ArraySlice<UInt8>) -> String {
        guard text.contains(where: isCapital) else { return String(decoding: text, as: UTF8.self) }
        return String(decoding: text.map { isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    /// The value of a hexadecimal digit.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - 0x30 }
        let letter = byte | 0x20
        return (0x61...0x66).contains(letter) ? letter - 0x61 + 10 : nil
    }
}
