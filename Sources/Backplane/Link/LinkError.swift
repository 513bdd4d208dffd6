/// The reason why a link, a link template or a link's parameter was refused.
///
/// The message says what is wrong and what to do about it. It never contains the link or a value
/// from it, because links come from outside and may carry secrets. It may contain the text of a
/// *template*, because the app's author wrote it.
public struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of refusal.
    ///
    /// New codes may be added, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The link is longer than the router's limit.
        public static let tooLong = Code(description: "tooLong")
        /// The path has more segments than the router allows.
        public static let tooManySegments = Code(description: "tooManySegments")
        /// The query has more items than the router allows.
        public static let tooManyItems = Code(description: "tooManyItems")
        /// The link has neither a scheme nor a leading slash.
        public static let notAbsolute = Code(description: "notAbsolute")
        /// The part between `//` and the path names a user, an invalid port or an invalid host.
        public static let invalidAuthority = Code(description: "invalidAuthority")
        /// A bare space, or a control character or backslash, written directly or percent-encoded.
        public static let forbiddenCharacter = Code(description: "forbiddenCharacter")
        /// A `%` that is not followed by two hexadecimal digits.
        public static let invalidEscape = Code(description: "invalidEscape")
        /// Percent-encoded bytes that are not UTF-8.
        public static let invalidUTF8 = Code(description: "invalidUTF8")
        /// A path segment is `.` or `..`, written directly or percent-encoded.
        public static let dotSegment = Code(description: "dotSegment")
        /// The path has two slashes in a row, or a path parameter's value is empty.
        public static let emptySegment = Code(description: "emptySegment")
        /// The text is not a valid link template.
        public static let invalidTemplate = Code(description: "invalidTemplate")
        /// A template that matches exactly the same links was added before.
        public static let duplicateTemplate = Code(description: "duplicateTemplate")
        /// The template has no parameter of that name.
        public static let unknownParameter = Code(description: "unknownParameter")
        /// A required parameter has no value.
        public static let missingParameter = Code(description: "missingParameter")
        /// The parameter's text cannot be read as the requested type.
        public static let unconvertibleParameter = Code(description: "unconvertibleParameter")
        /// The closure that makes a board's input from the parameters threw an error of its own.
        public static let refusedParameters = Code(description: "refusedParameters")
    }

    /// The kind of refusal.
    public let code: Code

    /// The problem and its solution, as full sentences.
    public let message: String

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
