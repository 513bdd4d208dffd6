/// The shape of a link: literal segments, named segments and named query parameters.
///
/// - `course/{id}` matches `/course/abc123`. If the router allows the scheme and the host, it also
///   matches `myapp://course/abc123` and `https://campus.example/course/abc123`. A leading slash
///   makes no difference.
/// - `https://campus.example/a/{id}` and `myapp://a/{id}` match only links of that origin. Naming
///   an origin allows it.
/// - `course/{id}?tab={tab}` also reads the query parameter `tab`. A link may omit query
///   parameters, or have them in any order. Other query parameters of a link are ignored.
/// - The empty template matches the root, `/`.
///
/// A name takes a whole segment. Literal segments are compared exactly, including letter case.
/// Write them as plain text (`über/{id}`), without percent-encoding.
///
/// An invalid template literal in source code is a programmer error. It traps with a sentence that
/// says what is wrong. For text that comes from elsewhere, use ``init(_:)``.
public struct LinkTemplate: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Segment: Hashable, Sendable {
        case literal(String)
        case parameter(String)
    }

    /// A name, and the position of its value in a link.
    struct Parameter: Hashable, Sendable {
        enum Position: Hashable, Sendable {
            case segment(Int)
            case query(key: String)
        }

        let name: String
        let position: Position
    }

    /// The template as it was written.
    public let description: String
    /// The only origin that the template matches; `nil` if the template begins with its path.
    let origin: LinkOrigin?
    let segments: [Segment]
    /// The parameters of the path in order, then the parameters of the query.
    let parameters: [Parameter]

    /// Creates the template written as `text`.
    ///
    /// - Throws: ``LinkError`` if `text` is not a template.
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
                parameters.append(Parameter(name: name, position: .segment(segments.count)))
                segments.append(.parameter(name))
            } else if part.utf8.contains(where: { $0 == Byte.openBrace || $0 == Byte.closeBrace }) {
                throw invalid("A parameter is a whole segment: letters, digits and '_' between '{' and '}'.")
            } else {
                segments.append(.literal(part))
            }
        }
        for item in link.items {
            let position = Parameter.Position.query(key: item.name)
            guard !item.name.isEmpty, let name = Self.placeholder(item.value) else {
                throw invalid("A query parameter is written 'key={name}'.")
            }
            guard !parameters.contains(where: { $0.position == position }) else {
                throw invalid("It has one query key twice.")
            }
            parameters.append(Parameter(name: name, position: position))
        }
        guard Set(parameters.map(\.name)).count == parameters.count else {
            throw invalid("It has one parameter name twice.")
        }
        description = text
        self.origin = hasOrigin ? origin : nil
        self.segments = segments
        self.parameters = parameters
    }

    /// Creates the template written as the literal `value`; traps if the literal is not a template.
    public init(stringLiteral value: StaticString) {
        do throws(LinkError) {
            try self.init(value.description)
        } catch {
            CallSite().fail(error.message)
        }
    }

    /// Returns the name in `{name}`; `nil` if the text has another form.
    private static func placeholder(_ text: String) -> String? {
        let bytes = text.utf8
        guard bytes.count > 2, bytes.first == Byte.openBrace, bytes.last == Byte.closeBrace else { return nil }
        let name = bytes.dropFirst().dropLast()
        guard name.allSatisfy({ Byte.isLetter($0) || Byte.isDigit($0) || $0 == UInt8(ascii: "_") }) else { return nil }
        return String(name)
    }
}
