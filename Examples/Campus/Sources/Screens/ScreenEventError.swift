/// A field of a ``ScreenEvent`` that is not there or not what the screen expects.
public struct ScreenEventError: Error, Equatable, CustomStringConvertible {
    /// What is wrong with the field; more may be added.
    public struct Code: Hashable, Sendable {
        private enum Value { case missingField, malformedField }
        private let value: Value

        /// The event came without the field.
        public static let missingField = Code(value: .missingField)

        /// The field cannot be read as the type asked for.
        public static let malformedField = Code(value: .malformedField)
    }

    /// What is wrong.
    public let code: Code

    /// The name of the event.
    public let event: String

    /// The name of the field; its content is not repeated, it may be a password.
    public let field: String

    /// What failed, and what to do about it.
    public var description: String {
        code == .missingField
            ? "Event '\(event)' came without the field '\(field)': add an input of that name to its form."
            : "Field '\(field)' of event '\(event)' cannot be read as the type asked for: check the form's input."
    }
}
