/// A link split into its parts by the rules of RFC 3986, before any decoding.
///
/// The link is split before it is decoded, so an encoded delimiter (`%2F`) never acts as a
/// delimiter. Every check is on bytes, and every index comes from a search in the same text. So no
/// input traps.
struct RawLink {
    let text: [UInt8]
    let origin: LinkOrigin
    /// The range of the path in `text`.
    ///
    /// With an app's own scheme, the part at the host's position is the beginning of the path.
    let path: Range<Int>
    /// The range of the query in `text`, without its `?`; empty if there is none.
    let query: Range<Int>

    init(_ link: String) throws(LinkError) {
        let text = Array(link.utf8)
        try Self.refuseForbiddenCharacters(in: text[...])
        self.text = text
        let end = text.firstIndex(of: Byte.hash) ?? text.endIndex
        let mark = text[..<end].firstIndex(of: Byte.question)
        query = mark.map { $0 + 1..<end } ?? end..<end
        let hierarchy = text[..<(mark ?? end)]

        guard hierarchy.first != Byte.slash else {
            if Self.beginsWithTwoSlashes(hierarchy) {
                throw LinkError(.notAbsolute, "The link begins with '//'. Write a scheme, or one slash.")
            }
            origin = .path
            path = hierarchy.indices
            return
        }
        guard let colon = hierarchy.firstIndex(of: Byte.colon), let first = hierarchy.first, Byte.isLetter(first),
            hierarchy[..<colon].allSatisfy(Byte.isSchemeCharacter)
        else {
            throw LinkError(.notAbsolute, "The link begins with neither a scheme nor a slash. Write all of it.")
        }
        let scheme = Byte.lowercased(hierarchy[..<colon])
        var rest = hierarchy[(colon + 1)...]
        let hasAuthority = Self.beginsWithTwoSlashes(rest)
        if hasAuthority { rest = rest.dropFirst(2) }
        let authority = rest[..<(rest.firstIndex(of: Byte.slash) ?? rest.endIndex)]

        if let defaultPort = Self.defaultPort(ofWebScheme: scheme) {
            guard hasAuthority else {
                throw LinkError(.invalidAuthority, "The web link names no host. Write '//' and the host.")
            }
            origin = .web(scheme: scheme, try LinkAuthority(authority, defaultPort: defaultPort))
            path = authority.endIndex..<rest.endIndex
        } else {
            if hasAuthority, authority.contains(where: { $0 == Byte.at || $0 == Byte.colon }) {
                throw LinkError(.invalidAuthority, "The link names a user or a port. Remove it.")
            }
            origin = .app(scheme: scheme)
            path = rest.indices
        }
    }

    /// Returns 443 for `https`, 80 for `http`, and `nil` for schemes that are not web schemes.
    static func defaultPort(ofWebScheme scheme: String) -> Int? {
        switch scheme {
        case "https": 443
        case "http": 80
        default: nil
        }
    }

    /// Throws if there are control characters (C0, DEL, C1), backslashes or, unless they are
    /// allowed, spaces.
    static func refuseForbiddenCharacters(
        in bytes: ArraySlice<UInt8>,
        allowingSpaces: Bool = false
    ) throws(LinkError) {
        guard !Byte.hasForbiddenCharacters(bytes, allowingSpaces: allowingSpaces) else {
            throw LinkError(
                .forbiddenCharacter,
                "The link has a control character, a bare space or a backslash. Remove it; write '%20' for a space."
            )
        }
    }

    private static func beginsWithTwoSlashes(_ text: ArraySlice<UInt8>) -> Bool {
        text.count >= 2 && text[text.startIndex] == Byte.slash && text[text.startIndex + 1] == Byte.slash
    }
}
