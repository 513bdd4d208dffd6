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
        case literal(String)
        case parameter(String)
    }

    /// A name, and where a link has its value.
    struct Parameter: Hashable, Sendable {
        enum Place: Hashable, Sendable {
            case segment(Int)
            case query(key: String)
        }

        let name: String
        let place: Place
    }

    /// The template as it was written.
    public let description: String
    /// The only origin it matches; nil for a template that begins with its path.
    let origin: LinkOrigin?
    let segments: [Segment]
    /// Those of the path first, in order.
    let parameters: [Parameter]

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
        let hasOrigin = text.prefix { $0 != "?" }.contains("://")
        let origin: LinkOrigin
        let link: DecodedLink
        do throws(LinkError) {
            let raw = try RawLink(hasOrigin || text.utf8.first == Byte.slash ? text : "/" + text)
            origin = raw.origin
            link = try DecodedLink(raw)
        } catch {
            throw invalid(error.message)
        }

        var segments: [Segment] = []
        var parameters: [Parameter] = []
        for part in link.segments {
            if let name = Self.placeholder(part) {
                parameters.append(Parameter(name: name, place: .segment(segments.count)))
                segments.append(.parameter(name))
            } else if part.utf8.contains(where: { $0 == Byte.openBrace || $0 == Byte.closeBrace }) {
                throw invalid("A parameter is a whole segment: letters, digits and '_' between '{' and '}'.")
            } else {
                segments.append(.literal(part))
            }
        }
        for item in link.items {
            let place = Parameter.Place.query(key: item.name)
            guard !item.name.isEmpty, let name = Self.placeholder(item.value) else {
                throw invalid("A query parameter is written 'key={name}'.")
            }
            guard !parameters.contains(where: { $0.place == place }) else {
                throw invalid("It has one query key twice.")
            }
            parameters.append(Parameter(name: name, place: place))
        }
        guard Set(parameters.map(\.name)).count == parameters.count else {
            throw invalid("It has one parameter name twice.")
        }
        description = text
        self.origin = hasOrigin ? origin : nil
        self.segments = segments
        self.parameters = parameters
    }

    /// The template written as the literal `value`; traps when it is none.
    public init(stringLiteral value: StaticString) {
        do throws(LinkError) {
            try self.init(value.description)
        } catch {
            CallSite().fail(error.message)
        }
    }

    /// The name in `{name}`.
    private static func placeholder(_ text: String) -> String? {
        let bytes = text.utf8
        guard bytes.count > 2, bytes.first == Byte.openBrace, bytes.last == Byte.closeBrace else { return nil }
        let name = bytes.dropFirst().dropLast()
        guard name.allSatisfy({ Byte.isLetter($0) || Byte.isDigit($0) || $0 == UInt8(ascii: "_") }) else { return nil }
        return String(name)
    }
}
