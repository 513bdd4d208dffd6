/// The values a link has for its template's names, read as the types the caller asks for.
///
/// ```swift
/// let id: CourseID = try link["id"]                        // throws when it is no CourseID
/// let tab: Tab? = try link["tab"]                          // nil when the link has no such query parameter
/// let order = try link["order", UUID.init(uuidString:)]    // a type that is not a LinkParameter
/// ```
///
/// Its description lists names, never values.
public struct LinkParameters: Hashable, Sendable, CustomStringConvertible {
    private let names: [String]
    private let values: [String?]

    init(
        template: LinkTemplate,
        segments: [ArraySlice<UInt8>],
        items: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]
    ) {
        names = template.names
        var values: [String?] = []
        values.reserveCapacity(names.count)
        for (segment, text) in zip(template.segments, segments) {
            if case .parameter = segment { values.append(String(decoding: text, as: UTF8.self)) }
        }
        for parameter in template.query {
            let item = items.first { $0.name.elementsEqual(parameter.key) }
            values.append(item.map { String(decoding: $0.value, as: UTF8.self) })
        }
        self.values = values
    }

    /// The value of the parameter `name`.
    ///
    /// - Throws: ``LinkError`` when the template has no such name, the link no such query parameter, or the text is no
    ///   `Value`.
    public subscript<Value: LinkParameter>(name: String) -> Value {
        get throws(LinkError) { try self[name, Value.init(linkText:)] }
    }

    /// The value of the parameter `name`, or nil when the link does not have it.
    ///
    /// - Throws: ``LinkError`` when the template has no such name, or the link has it and the text is no `Value`.
    public subscript<Value: LinkParameter>(name: String) -> Value? {
        get throws(LinkError) {
            guard let text = try text(of: name) else { return nil }
            return try Self.converted(text, name, Value.init(linkText:))
        }
    }

    /// The value that `convert` makes of the parameter `name`.
    ///
    /// - Throws: ``LinkError`` when the template has no such name, the link no such query parameter, or `convert` returns nil.
    public subscript<Value>(name: String, convert: (String) -> Value?) -> Value {
        get throws(LinkError) {
            guard let text = try text(of: name) else {
                throw LinkError(
                    .missingParameter,
                    "The link has no value for \"\(name)\". Read a query parameter as an optional: \(Value.self)?."
                )
            }
            return try Self.converted(text, name, convert)
        }
    }

    /// The names, without the values.
    public var description: String { "LinkParameters(\(names.joined(separator: ", ")))" }

    private func text(of name: String) throws(LinkError) -> String? {
        guard let index = names.firstIndex(of: name) else {
            throw LinkError(
                .unknownParameter,
                "The link's template has no parameter \"\(name)\", only [\(names.joined(separator: ", "))]."
            )
        }
        return values[index]
    }

    private static func converted<Value>(
        _ text: String,
        _ name: String,
        _ convert: (String) -> Value?
    ) throws(LinkError) -> Value {
        guard let value = convert(text) else {
            throw LinkError(
                .unconvertibleParameter,
                "The link's parameter \"\(name)\" is not a \(Value.self). Treat the link as not found, or read a String."
            )
        }
        return value
    }
}
