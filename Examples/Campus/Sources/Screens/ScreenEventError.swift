/// An error about a field of a ``ScreenEvent`` that is missing or malformed.
public struct ScreenEventError: Error, Equatable, CustomStringConvertible {
    /// The kind of the error; later versions may add more.
    public struct Code: Hashable, Sendable {
        private enum Value { case missingField, malformedField }
        private let value: Value

        /// The event does not have the field.
        public static let missingField = Code(value: .missingField)

        /// The field cannot be read as the requested type.
        public static let malformedField = Code(value: .malformedField)
    }

    /// The kind of the error.
    public let code: Code

    /// The name of the event.
    public let event: String

    /// The name of the field; its content is not repeated, because it may be a password.
    public let field: String

    /// The failure, and how to correct it.
    public var description: String {
        code == .missingField
            ? "Event '\(event)' has no field '\(field)'. Add an input with that name to its form."
            : "Field '\(field)' of event '\(event)' cannot be read as the requested type. Check the form's input."
    }
}
