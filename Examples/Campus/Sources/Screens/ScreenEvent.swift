/// Something the person did on a screen: a name and the fields that came with it.
///
/// Everything in it comes from outside and may be missing, malformed or made up; read it with the accessors.
///
/// ```swift
/// func handle(_ event: ScreenEvent) {
///     guard event.name == "tick", let index: Int = try? event.value("index") else { return }
///     tick(index)
/// }
/// ```
public struct ScreenEvent: Sendable {
    /// What was done: `tick`, `retry`, `save`.
    public let name: String

    /// The fields as they arrived, by name.
    public let fields: [String: String]

    /// An event.
    ///
    /// - Parameters:
    ///   - name: what was done.
    ///   - fields: what came with it.
    public init(name: String, fields: [String: String] = [:]) {
        self.name = name
        self.fields = fields
    }

    /// The field of that name as it arrived, or `nil` if none did.
    public subscript(field: String) -> String? { fields[field] }

    /// Whether a check box of that name was ticked: browsers leave out those that were not.
    public func isOn(_ field: String) -> Bool { fields[field] != nil }

    /// The field of that name, as a number, an identity, or the text itself.
    ///
    /// - Parameters:
    ///   - field: the field's name.
    ///   - type: what to read it as; inferred where it can be.
    /// - Returns: the field's content as that type.
    /// - Throws: ``ScreenEventError`` with ``ScreenEventError/Code/missingField`` or
    ///   ``ScreenEventError/Code/malformedField``.
    public func value<Value: LosslessStringConvertible>(
        _ field: String,
        as type: Value.Type = Value.self
    ) throws(ScreenEventError) -> Value {
        guard let text = fields[field] else { throw ScreenEventError(code: .missingField, event: name, field: field) }
        guard let value = Value(text) else { throw ScreenEventError(code: .malformedField, event: name, field: field) }
        return value
    }
}

extension ScreenEvent: CustomStringConvertible {
    /// The event's name and the names of its fields; never what is in them, which may be a password.
    public var description: String { "\(name)(\(fields.keys.sorted().joined(separator: ", ")))" }
}
