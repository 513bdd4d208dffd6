/// The fields of an event, by name: the inputs of a form, or the arguments of a command.
///
/// They come from outside, and can be missing, malformed or forged. Read them with the accessors.
///
/// ```swift
/// if let todo: Todo.ID = fields.value("todo") { page.todos.tick(todo) }
/// ```
public struct EventFields: Sendable {
    private let texts: [String: String]

    /// Creates the fields with these texts.
    public init(_ texts: [String: String] = [:]) {
        self.texts = texts
    }

    /// The text of a field; `nil` if the event does not have the field.
    public subscript(name: String) -> String? { texts[name] }

    /// Returns whether the check box of this name was checked; browsers omit unchecked boxes.
    public func isOn(_ name: String) -> Bool { texts[name] != nil }

    /// Returns a field as an ID or another value with a text.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - type: the type of the result; inferred if possible.
    /// - Returns: the value; `nil` if the field is missing or is not a text of that type.
    public func value<Value: RawRepresentable<String>>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        texts[name].flatMap(Value.init(rawValue:))
    }
}

extension EventFields: CustomStringConvertible {
    /// The names of the fields, without their contents, which may be a password.
    public var description: String { texts.keys.sorted().joined(separator: ", ") }
}
