/// The type of an input, an output or a command, and a value of it for tests and buttons.
package struct Payload: Equatable, Sendable {
    private static let examples = ["Bool": "true", "Double": "1", "Int": "1", "String": "\"1\""]

    let type: String
    let example: String

    /// Creates a payload from a type, such as `Int`, or a type and a value: `Meeting.ID="1"`.
    ///
    /// - Throws: a `GeneratorError` if that is no type, or if it has no value and needs one.
    package init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimming(while: \.isWhitespace) }
        guard let type = parts.first, type.wholeMatch(of: /[A-Z][A-Za-z0-9_]*(\.[A-Z][A-Za-z0-9_]*)*/) != nil,
            !text.contains(where: \.isNewline)
        else { throw GeneratorError("\(text.debugDescription) is no type such as String or Meeting.ID.") }
        guard let example = parts.count > 1 ? parts[1] : Self.examples[type], !example.isEmpty else {
            throw GeneratorError(
                "The tests need a value of \(type): write the type and a value, as in '\(type)=\"1\"'."
            )
        }
        self.type = type
        self.example = example
    }

    /// Whether a deep link can be read as the type.
    var isLinkParameter: Bool { Self.examples[type] != nil }
}

extension StringProtocol {
    func trimming(while condition: (Character) -> Bool) -> String {
        String(drop(while: condition).reversed().drop(while: condition).reversed())
    }
}
