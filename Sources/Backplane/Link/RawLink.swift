/// A link cut into its parts by the rules of RFC 3986, with nothing decoded yet.
///
/// Cutting comes before decoding, so that an encoded delimiter (`%2F`) never acts as one. Every check is on bytes, every
/// index comes from a search in the same slice: there is no input that traps.
struct RawLink {
    let origin: LinkOrigin
    /// For a scheme of the app's own, what stands in the host's place is the beginning of the path.
    let path: ArraySlice<UInt8>
    let query: ArraySlice<UInt8>?

    init(_ link: [UInt8]) throws(LinkError) {
        try Self.refuseForbiddenCharacters(in: link[...])
        let beforeFragment = link[..<(link.firstIndex(of: Byte.hash) ?? link.endIndex)]
        let mark = beforeFragment.firstIndex(of: Byte.question)
        query = mark.map { beforeFragment[($0 + 1)...] }
        let hierarchy = beforeFragment[..<(mark ?? beforeFragment.endIndex)]

        guard hierarchy.first != Byte.slash else {
            if hierarchy.starts(with: [Byte.slash, Byte.slash]) {
                throw LinkError(.notAbsolute, "The link begins with '//'. Write a scheme, or one slash.")
            }
            origin = .path
            path = hierarchy
            return
        }
        guard let colon = hierarchy.firstIndex(of: Byte.colon), let first = hierarchy.first, Byte.isLetter(first),
            hierarchy[..<colon].allSatisfy(Byte.isSchemeCharacter)
        else {
            throw LinkError(.notAbsolute, "The link begins with neither a scheme nor a slash. Write all of it.")
        }
        let scheme = String(decoding: hierarchy[..<colon].map(Byte.lowercased), as: UTF8.self)
        var rest = hierarchy[(colon + 1)...]
        let hasAuthority = rest.starts(with: [Byte.slash, Byte.slash])
        if hasAuthority { rest = rest.dropFirst(2) }
        let authority = rest[..<(rest.firstIndex(of: Byte.slash) ?? rest.endIndex)]

        if let defaultPort = Self.defaultPort(ofWebScheme: scheme) {
            guard hasAuthority else {
                throw LinkError(.invalidAuthority, "The web link names no host. Write '//' and the host.")
            }
            origin = .web(scheme: scheme, try LinkAuthority(authority, defaultPort: defaultPort))
            path = rest[authority.endIndex...]
        } else {
            if hasAuthority, authority.contains(where: { $0 == Byte.at || $0 == Byte.colon }) {
                throw LinkError(.invalidAuthority, "The link names a user or a port. Remove it.")
            }
            origin = .app(scheme: scheme)
            path = rest
        }
    }

    /// 443 for `https`, 80 for `http`, nothing for schemes that are not the web's.
    static func defaultPort(ofWebScheme scheme: String) -> Int? {
        switch scheme {
        case "https": 443
        case "http": 80
        default: nil
        }
    }

    /// The path's segments, each decoded once.
    ///
    /// One slash at either end is not a segment. An empty segment elsewhere is refused, as is a dot segment: a link
    /// is written by a program, which has no reason for either, and resolving them is how one path poses as another.
    func segments(atMost limit: Int) throws(LinkError) -> [ArraySlice<UInt8>] {
        var rest = path
        if rest.first == Byte.slash { rest = rest.dropFirst() }
        if rest.count > 1, rest.last == Byte.slash { rest = rest.dropLast() }
        var segments: [ArraySlice<UInt8>] = []
        guard !rest.isEmpty else { return segments }
        segments.reserveCapacity(8)
        while true {
            let slash = rest.firstIndex(of: Byte.slash)
            let segment = try Self.decoded(rest[..<(slash ?? rest.endIndex)])
            guard let first = segment.first else {
                throw LinkError(.emptySegment, "The link's path has two slashes in a row. Write one.")
            }
            if first == Byte.dot, segment.count == 1 || (segment.count == 2 && segment.last == Byte.dot) {
                throw LinkError(.dotSegment, "The link's path has a segment '.' or '..'. Write the resolved path.")
            }
            guard segments.count < limit else {
                throw LinkError(.tooManySegments, "The link's path has more than \(limit) segments.")
            }
            segments.append(segment)
            guard let slash else { return segments }
            rest = rest[(slash + 1)...]
        }
    }

    /// The query's `name=value` pairs in order, decoded once.
    ///
    /// A name without `=` has an empty value, `+` is a plus.
    func queryItems() throws(LinkError) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        guard let query else { return [] }
        var items: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
        for item in query.split(separator: Byte.ampersand) {
            let equals = item.firstIndex(of: Byte.equals)
            let name = try Self.decoded(item[..<(equals ?? item.endIndex)])
            let value = try Self.decoded(equals.map { item[($0 + 1)...] } ?? [])
            items.append((name, value))
        }
        return items
    }

    /// `text` with every `%XX` replaced by its byte; the slice itself when there is none.
    private static func decoded(_ text: ArraySlice<UInt8>) throws(LinkError) -> ArraySlice<UInt8> {
        guard text.contains(Byte.percent) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == Byte.percent else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Byte.hexValue), let low = rest.popFirst().flatMap(Byte.hexValue)
            else {
                throw LinkError(.invalidEscape, "The link has a '%' without two hex digits. Write '%25' for it.")
            }
            bytes.append(high << 4 | low)
        }
        try refuseForbiddenCharacters(in: bytes[...], allowingSpaces: true)
        // Decoding to a string repairs what is not UTF-8, so it changes exactly the bytes that were not.
        guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) else {
            throw LinkError(.invalidUTF8, "The link has percent-encoded bytes that are not UTF-8.")
        }
        return bytes[...]
    }

    /// Refuses control characters (C0, DEL, C1), backslashes and, in text that is not decoded yet, spaces.
    private static func refuseForbiddenCharacters(
        in bytes: ArraySlice<UInt8>,
        allowingSpaces: Bool = false
    ) throws(LinkError) {
        let lowest: UInt8 = allowingSpaces ? 0x20 : 0x21
        var previous: UInt8 = 0
        for byte in bytes {
            let isC1 = previous == 0xC2 && (0x80...0x9F).contains(byte)
            if byte < lowest || byte == 0x7F || byte == Byte.backslash || isC1 {
                throw LinkError(
                    .forbiddenCharacter,
                    "The link has a control character, a bare space or a backslash. Remove it; write '%20' for a space."
                )
            }
            previous = byte
        }
    }
}
