/// An action of the user on a screen, with a name and fields.
///
/// The contents come from outside, and can be missing, malformed or forged. Read them with the
/// accessors.
///
/// ```swift
/// func handle(_ event: ScreenEvent) {
///     guard event.name == "tick", let index: Int = try? event.value("index") else { return }
///     tick(index)
/// }
/// ```
public struct ScreenEvent: Sendable {
    /// The name of the action: `tick`, `retry`, `save`.
    public let name: String

    /// The received fields, by name.
    public let fields: [String: String]

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: the name of the action.
    ///   - fields: the fields of the event.
    public init(name: String, fields: [String: String] = [:]) {
        self.name = name
        self.fields = fields
    }

    /// The received text of this field; `nil` if the event does not have the field.
    public subscript(field: String) -> String? { fields[field] }

    /// Returns whether the check box of this name was checked; browsers omit unchecked boxes.
    public func isOn(_ field: String) -> Bool { fields[field] != nil }

    /// Returns the field of this name, as a number, an ID, or the text itself.
    ///
    /// - Parameters:
    ///   - field: the field's name.
    ///   - type: the type of the result; inferred if possible.
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
    /// The event's name and the names of its fields, without their contents, which may be a
    /// password.
    public var description: String { "\(name)(\(fields.keys.sorted().joined(separator: ", ")))" }
}
