/// The reason why a link, a link template or a link's parameter was refused.
///
/// The message says what is wrong and what to do about it. It never contains the link or a value
/// from it, because links come from outside and may carry secrets. It may contain the text of a
/// *template*, because the app's author wrote it.
public struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of refusal, for tests and for the description.
    enum Code: String {
        case tooLong, tooManySegments, tooManyItems
        /// The link has neither a scheme nor a leading slash.
        case notAbsolute
        /// The part between `//` and the path names a user, an invalid port or an invalid host.
        case invalidAuthority
        /// A bare space, or a control character or backslash, written directly or percent-encoded.
        case forbiddenCharacter
        case invalidEscape, invalidUTF8
        /// A path segment is `.` or `..`, written directly or percent-encoded.
        case dotSegment
        /// The path has two slashes in a row, or a path parameter's value is empty.
        case emptySegment
        case invalidTemplate, duplicateTemplate
        case unknownParameter, missingParameter, unconvertibleParameter
        /// The closure that makes a board's input from the parameters threw an error of its own.
        case refusedParameters
    }

    let code: Code

    /// The problem and its solution, as full sentences.
    public let message: String

    /// The name of the problem and the message.
    public var description: String { "\(code): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
