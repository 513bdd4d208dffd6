/// The shape of a link: literal segments, named segments, named query parameters.
///
/// - `course/{id}` matches `/course/abc123`, and also `myapp://course/abc123` and `https://campus.example/course/abc123`
///   where the router allows that scheme and that host. A leading slash makes no difference.
/// - `https://campus.example/a/{id}` and `myapp://a/{id}` match links of that origin only. Naming an origin allows it.
/// - `course/{id}?tab={tab}` also reads the query parameter `tab`. Query parameters may be absent from a link, may come in any
///   order, and those the template does not name are ignored.
/// - The empty template matches the root, `/`.
///
/// A name takes a whole segment. Literal segments are compared exactly, letter case included, and are written as they read
/// (`über/{id}`), never percent-encoded.
///
/// A literal in source code that is no template is a programmer error and traps with a sentence saying what is wrong; use
/// ``init(_:)`` for text that comes from elsewhere.
public struct LinkTemplate: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Segment: Hashable, Sendable {
        case literal([UInt8])
        case parameter(String)
    }

    struct QueryParameter: Hashable, Sendable {
        let key: [UInt8]
        let name: String
    }

    /// The template as it was written.
    public let description: String
    /// The only origin it matches; nil for a template that begins with its path.
    let origin: LinkOrigin?
    let segments: [Segment]
    let query: [QueryParameter]
    /// The names, those of the path first, in order.
    let names: [String]

    /// The template written as `text`.
    ///
    /// - Throws: ``LinkError`` with the code ``LinkError/Code/invalidTemplate`` when `text` is no template.
    public init(_ text: String) throws(LinkError) {
        func invalid(_ reason: String) -> LinkError {
            LinkError(.invalidTemplate, "The link template \"\(text)\" is invalid. \(reason)")
        }
        if text.utf8.contains(where: { $0 == Byte.percent || $0 == Byte.hash || $0 == Byte.space }) {
            throw invalid("Write it without '%', '#' and spaces.")
        }
        let hasOrigin = text.contains("://")
        let link: RawLink
        let parts: [ArraySlice<UInt8>]
        let items: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]
        do throws(LinkError) {
            link = try RawLink(Array((hasOrigin || text.utf8.first == Byte.slash ? text : "/" + text).utf8))
            parts = try link.segments(atMost: LinkLimits.segments)
            items = try link.queryItems()
        } catch {
            throw invalid(error.message)
        }

        var segments: [Segment] = []
        var query: [QueryParameter] = []
        var names: [String] = []
        for part in parts {
            if let name = Self.placeholder(part) {
                segments.append(.parameter(name))
                names.append(name)
            } else if part.contains(where: { $0 == Byte.openBrace || $0 == Byte.closeBrace }) {
                throw invalid("A parameter is a whole segment: letters, digits and '_' between '{' and '}'.")
            } else {
                segments.append(.literal(Array(part)))
            }
        }
        for item in items {
            guard !item.name.isEmpty, let name = Self.placeholder(item.value) else {
                throw invalid("A query parameter is written 'key={name}'.")
            }
            guard !query.contains(where: { $0.key.elementsEqual(item.name) }) else {
                throw invalid("It has one query key twice.")
            }
            query.append(QueryParameter(key: Array(item.name), name: name))
            names.append(name)
        }
        guard Set(names).count == names.count else {
            throw invalid("It has one parameter name twice.")
        }
        description = text
        origin = hasOrigin ? link.origin : nil
        self.segments = segments
        self.query = query
        self.names = names
    }

    /// The template written as the literal `value`; traps when it is none.
    public init(stringLiteral value: StaticString) {
        do throws(LinkError) {
            try self.init(value.description)
        } catch {
            preconditionFailure(error.message)
        }
    }

    /// The name in `{name}`.
    private static func placeholder(_ text: ArraySlice<UInt8>) -> String? {
        guard text.count > 2, text.first == Byte.openBrace, text.last == Byte.closeBrace else { return nil }
        let name = text.dropFirst().dropLast()
        guard name.allSatisfy({ Byte.isLetter($0) || Byte.isDigit($0) || $0 == UInt8(ascii: "_") }) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}

/// What a router refuses to look at, whatever it has been told.
enum LinkLimits {
    /// Far beyond any real path; it bounds the depth of a search.
    static let segments = 64
}
