/// The parameters of a link, read as the requested types.
///
/// ```swift
/// let id: CourseID = try link["id"]                        // throws if it is not a CourseID
/// let tab: Tab? = try link["tab"]                          // nil if the link has no tab
/// let order = try link["order", UUID.init(uuidString:)]    // a type that is not a LinkParameter
/// ```
///
/// The description lists names, never values.
public struct LinkParameters: Hashable, Sendable, CustomStringConvertible {
    // Reading is inlinable, because it is much faster if the compiler knows the type.

    private struct Entry: Hashable {
        let name: String
        /// The decoded text; `nil` for a query parameter that the link does not have.
        let text: String?
    }

    private let entries: [Entry]

    init(_ parameters: [LinkTemplate.Parameter], of link: DecodedLink) {
        entries = parameters.map { parameter in
            switch parameter.position {
            case .segment(let index):
                Entry(name: parameter.name, text: link.segments[index])
            case .query(let key):
                Entry(name: parameter.name, text: link.items.first { $0.name.hasSameBytes(as: key) }?.value)
            }
        }
    }

    /// The value of the parameter `name`.
    ///
    /// - Throws: ``LinkError`` if the template has no such name, if the link has no such query
    ///   parameter, or if the text is not a `Value`.
    public subscript<Value: LinkParameter>(name: String) -> Value {
        @inlinable get throws(LinkError) { try self[name, Value.init(linkText:)] }
    }

    /// The value of the parameter `name`; `nil` if the link does not have it.
    ///
    /// - Throws: ``LinkError`` if the template has no such name, or if the link has it but the text
    ///   is not a `Value`.
    public subscript<Value: LinkParameter>(name: String) -> Value? {
        @inlinable get throws(LinkError) {
            guard let text = try text(of: name) else { return nil }
            return try Self.converted(text, name, Value.init(linkText:))
        }
    }

    /// The value that `convert` returns for the parameter `name`.
    ///
    /// - Throws: ``LinkError`` if the template has no such name, if the link has no such query
    ///   parameter, or if `convert` returns `nil`.
    public subscript<Value>(name: String, convert: (String) -> Value?) -> Value {
        @inlinable get throws(LinkError) {
            guard let text = try text(of: name) else { throw Self.missing(name, Value.self) }
            return try Self.converted(text, name, convert)
        }
    }

    /// The names, without the values.
    public var description: String { "LinkParameters(\(names))" }

    @usableFromInline func text(of name: String) throws(LinkError) -> String? {
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw LinkError(
                .unknownParameter,
                "The link's template has no parameter \"\(name)\", only [\(names)]."
            )
        }
        return entry.text
    }

    private var names: String { entries.map(\.name).joined(separator: ", ") }

    @inlinable static func converted<Value>(
        _ text: String,
        _ name: String,
        _ convert: (String) -> Value?
    ) throws(LinkError) -> Value {
        guard let value = convert(text) else { throw unconvertible(name, Value.self) }
        return value
    }

    @usableFromInline static func missing(_ name: String, _ type: Any.Type) -> LinkError {
        LinkError(
            .missingParameter,
            "The link has no value for \"\(name)\". Read a query parameter as an optional: \(type)?."
        )
    }

    @usableFromInline static func unconvertible(_ name: String, _ type: Any.Type) -> LinkError {
        LinkError(
            .unconvertibleParameter,
            "The link's parameter \"\(name)\" cannot be read as \(type). Treat the link as not found, or read a String."
        )
    }
}
