import TestSupport

/// A generator of links that try to gain access or to crash the app.
struct HostileLinks {
    private static let ours = [
        "/", "myapp:", "myapp:/", "myapp://", "MYAPP:///", "https://campus.example/", "HTTPS://Campus.Example:443/",
        "https://127.0.0.1:8080/",
    ]

    private static let heads = [
        "", "/", "//", "///", "myapp:", "myapp:/", "myapp://", "MYAPP:///", "myapp:////", "my\u{430}pp://",
        "https://campus.example", "https://campus.example/", "https://campus.example:443/", "HTTPS://Campus.Example/",
        "https://127.0.0.1:8080/", "https://127.0.0.1/", "https://127.1:8080/", "https://2130706433:8080/",
        "http://campus.example/", "https://campus.example:80/", "https://campus.example:0/", "https://campus.example:/",
        "https://campus.example:99999/", "https://campus.example:443:443/", "https://campus.example:-443/",
        "https://campus.example./", "https://.campus.example/", "https://campus..example/",
        "https://campus.example%2F/",
        "https://%63ampus.example/", "https://evil.example/", "https://evil-campus.example/",
        "https://campus.example.evil.example/", "https://campus.example@evil.example/",
        "https://evil.example@campus.example/", "https://user:secret@campus.example/", "https://@campus.example/",
        "https://campus.example:443@evil.example/", "https://evil.example#@campus.example/",
        "https://evil.example?@campus.example/", "https://evil.example\\@campus.example/", "https:\\\\campus.example/",
        "https://c\u{430}mpus.example/", "https://campus\u{3002}example/", "https://campus.ex\u{E0}mple/",
        "https://\u{FF43}ampus.example/", "https://campus.example\u{338}/", "https://campu\u{17F}.example/",
        "https://[::1]/", "https://[::ffff:127.0.0.1]:8080/", "https://[campus.example]/", "https://[/", "https://]/",
        "https:/campus.example/", "https:campus.example/", "https:///campus.example/", "https://", "https:", "://", ":",
        "javascript:", "data:text/html,", "file:///", "mailto:a@campus.example/", "ftp://campus.example/", " /",
        "\u{0}",
        "\u{FEFF}/", "\u{202E}/", "\t/", "\n/",
    ]

    private static let harmless = ["a", "b", "c", "course", "abc123", "/", "/", "/", "/"]

    private static let pieces = [
        // Delimiters, and text that may be taken for delimiters.
        "//", "\\", "%2F", "%2f", "%5C", "%5c", "%252F", "%25252F", "\u{FF0F}", "\u{2215}", "%EF%BC%8F", "/\u{338}",
        "?", "&", "=", "#", "@", ":", ";", "+", "%3F", "%26", "%3D", "%23", "%40", "%3A", "\u{FF1F}", "?q=1", "&q=2",
        "?Q=3",
        // Dots.
        ".", "..", "/../", "/./", "%2e", "%2E%2e", "/.%2e/", "/%2e./", "/%252e%252e/", "/..;/", "...",
        "/\u{FF0E}\u{FF0E}/",
        "/%EF%BC%8E%EF%BC%8E/", "/\u{2025}/", "/..%00/", "/..%2F", "/.\u{301}./",
        // Escapes.
        "%", "%%", "%4", "%GG", "%-1", "%+1", "%u0041", "%4\u{FF11}", "\u{FF05}41", "%25", "%2541", "%41", "%63ourse",
        "%7B%7D", "%E2%82%AC", "%C3", "%A9", "%C3%A9",
        // Invalid UTF-8: overlong, surrogates, out of range, truncated, isolated bytes.
        "%C0%AE%C0%AE", "%C0%AF", "%E0%80%AF", "%F0%80%80%AF", "%C1%81", "%ED%A0%80", "%ED%A0%BD%ED%B8%80",
        "%F4%90%80%80",
        "%F8%88%80%80%80", "%FE", "%FF", "%80", "%E2%82", "%F0%9F%8E",
        // Control characters.
        "%00", "\u{0}", "%0", "%0d%0a", "\r\n", "\n", "\t", "%09", "\u{7F}", "%7F", "\u{85}", "%C2%85", "%C2%9F",
        "%C2%A0",
        "\u{1B}[2J", " ", "%20",
        // Look-alikes and invisible characters.
        "\u{441}ourse", "c\u{43E}urse", "\u{212A}", "\u{FF43}ourse", "cours\u{435}", "COURSE", "course\u{301}",
        "e\u{301}",
        "\u{E9}", "\u{301}", "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{AD}", "\u{202E}", "\u{2066}", "\u{2069}",
        "\u{E0041}",
        "\u{2028}", "\u{FFFD}", "\u{FFFF}", "\u{1F393}", "\u{20AC}", "\u{130}", "\u{DF}",
        // Text with a special meaning in other languages and formats.
        "{id}", "{x}", "{", "}", "'", "\"", "<script>", "${jndi}", "%s%n", "*", "|", "[", "]", "^", "`", "~", "null",
        "-1",
    ]

    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> String {
        var link = (random.chance(50) ? Self.ours : Self.heads).randomElement(using: &random) ?? ""
        let hostility = random.chance(50) ? 5 : 40
        let count = Int.random(in: 0...12, using: &random)
        // One of the pieces may be up to 16 KiB long.
        let long = random.chance(2) ? Int.random(in: 0...count, using: &random) : nil
        for number in 0..<count {
            let piece = (random.chance(hostility) ? Self.pieces : Self.harmless).randomElement(using: &random) ?? ""
            let most = number == long ? 16_384 / piece.utf8.count : 1
            link += String(repeating: piece, count: .random(in: 1...most, using: &random))
        }
        return random.chance(10) ? damaged(link) : link
    }

    /// Returns the text with a few random bytes, after which invalid UTF-8 becomes U+FFFD.
    private mutating func damaged(_ link: String) -> String {
        var bytes = Array(link.utf8)
        for _ in 0..<3 where !bytes.isEmpty {
            bytes[.random(in: bytes.indices, using: &random)] = .random(in: .min ... .max, using: &random)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
