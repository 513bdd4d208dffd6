/// The path segments and query items of a link, each decoded once.
///
/// Compare them with ``Swift/String/hasSameBytes(as:)``.
struct DecodedLink {
    struct QueryItem {
        let name: String
        let value: String
    }

    /// The path's segments; a slash at either end makes no segment.
    ///
    /// Other empty segments are refused, and so are dot segments. Programs write links and need
    /// neither. Resolving dot segments would let one path pose as another.
    private(set) var segments: [String] = []
    /// The query's items, in order.
    ///
    /// A name without `=` has an empty value, and `+` means a plus sign.
    private(set) var items: [QueryItem] = []
    /// The bytes of the link.
    ///
    /// A part with escapes is decoded in place, because the decoded part is shorter.
    private var text: [UInt8]

    init(_ link: RawLink) throws(LinkError) {
        text = link.text
        try readSegments(link.path)
        try readItems(link.query)
    }

    private mutating func readSegments(_ path: Range<Int>) throws(LinkError) {
        var rest = path
        if text[rest].first == Byte.slash { rest = rest.dropFirst() }
        if rest.count > 1, text[rest].last == Byte.slash { rest = rest.dropLast() }
        guard !rest.isEmpty else { return }
        segments.reserveCapacity(8)
        while true {
            let slash = text[rest].firstIndex(of: Byte.slash)
            let segment = try decoded(rest.lowerBound..<(slash ?? rest.upperBound))
            guard !segment.isEmpty else {
                throw LinkError(.emptySegment, "The link's path has two slashes in a row. Write one.")
            }
            if segment == "." || segment == ".." {
                throw LinkError(.dotSegment, "The link's path has a segment '.' or '..'. Write the resolved path.")
            }
            guard segments.count < LinkLimits.segments else {
                throw LinkError(.tooManySegments, "The link's path has more than \(LinkLimits.segments) segments.")
            }
            segments.append(segment)
            guard let slash else { return }
            rest = slash + 1..<rest.upperBound
        }
    }

    private mutating func readItems(_ query: Range<Int>) throws(LinkError) {
        var rest = query
        while !rest.isEmpty {
            let end = text[rest].firstIndex(of: Byte.ampersand) ?? rest.upperBound
            let item = rest.lowerBound..<end
            rest = min(end + 1, rest.upperBound)..<rest.upperBound
            guard !item.isEmpty else { continue }
            let equals = text[item].firstIndex(of: Byte.equals) ?? end
            let name = try decoded(item.lowerBound..<equals)
            let value = try decoded(min(equals + 1, end)..<end)
            guard items.count < LinkLimits.items else {
                throw LinkError(.tooManyItems, "The link's query has more than \(LinkLimits.items) items.")
            }
            items.append(QueryItem(name: name, value: value))
        }
    }

    /// Returns the text of `part` with every `%XX` replaced by its byte.
    private mutating func decoded(_ part: Range<Int>) throws(LinkError) -> String {
        guard let firstEscape = text[part].firstIndex(of: Byte.percent) else {
            return String(decoding: text[part], as: UTF8.self)
        }
        var from = firstEscape
        var to = firstEscape
        while from < part.upperBound {
            if text[from] == Byte.percent {
                guard part.upperBound - from > 2, let high = Byte.hexValue(text[from + 1]),
                    let low = Byte.hexValue(text[from + 2])
                else {
                    throw LinkError(.invalidEscape, "The link has a '%' without two hex digits. Write '%25' for it.")
                }
                text[to] = high << 4 | low
                from += 3
            } else {
                text[to] = text[from]
                from += 1
            }
            to += 1
        }
        let decoded = text[part.lowerBound..<to]
        try RawLink.refuseForbiddenCharacters(in: decoded, allowingSpaces: true)
        let string = String(decoding: decoded, as: UTF8.self)
        // Decoding to a string replaces bytes that are not UTF-8. So the string's bytes differ
        // exactly if there were such bytes.
        guard string.utf8.elementsEqual(decoded) else {
            throw LinkError(.invalidUTF8, "The link has percent-encoded bytes that are not UTF-8.")
        }
        return string
    }
}

extension String {
    /// Returns whether two strings have the same bytes.
    ///
    /// Canonical equivalence does not count: with it, the Kelvin sign would equal the letter K.
    func hasSameBytes(as other: String) -> Bool {
        var (a, b) = (self, other)
        return a.withUTF8 { a in b.withUTF8 { a.elementsEqual($0) } }
    }
}

/// Fixed limits of every router, far beyond any real link.
enum LinkLimits {
    /// The maximum number of segments, which bounds the depth of a search.
    static let segments = 64
    /// The maximum number of query items, which bounds the search for a query parameter.
    static let items = 256
}
