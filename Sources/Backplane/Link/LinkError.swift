/// Why a link, a link template or a link's parameter was refused.
///
/// The message says what is wrong and what to do about it. It never contains the link or a value from it: links come
/// from outside and may carry secrets. The text of a *template* does appear, because the app's author wrote it.
public struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of refusal.
    ///
    /// New codes may be added, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The link is longer than the router's limit.
        public static let tooLong = Code(description: "tooLong")
        /// The path has more segments than the router looks at.
        public static let tooManySegments = Code(description: "tooManySegments")
        /// The query has more items than the router looks at.
        public static let tooManyItems = Code(description: "tooManyItems")
        /// The link has neither a scheme nor a leading slash.
        public static let notAbsolute = Code(description: "notAbsolute")
        /// The part between `//` and the path names a user, a port out of range, or no proper host.
        public static let invalidAuthority = Code(description: "invalidAuthority")
        /// A control character, a space or a backslash, as itself or percent-encoded.
        public static let forbiddenCharacter = Code(description: "forbiddenCharacter")
        /// A `%` that is not followed by two hexadecimal digits.
        public static let invalidEscape = Code(description: "invalidEscape")
        /// Percent-encoded bytes that are not UTF-8.
        public static let invalidUTF8 = Code(description: "invalidUTF8")
        /// A path segment `.` or `..`, as itself or percent-encoded.
        public static let dotSegment = Code(description: "dotSegment")
        /// Two slashes in a row within the path.
        public static let emptySegment = Code(description: "emptySegment")
        /// The template's text is not a link template.
        public static let invalidTemplate = Code(description: "invalidTemplate")
        /// A template that matches exactly the same links has been added before.
        public static let duplicateTemplate = Code(description: "duplicateTemplate")
        /// The matched template has no parameter of that name.
        public static let unknownParameter = Code(description: "unknownParameter")
        /// The template's query parameter is not in this link.
        public static let missingParameter = Code(description: "missingParameter")
        /// The parameter's text is not a value of the type asked for.
        public static let unconvertibleParameter = Code(description: "unconvertibleParameter")
        /// The closure that makes a board's input of the parameters threw an error of its own.
        public static let refusedParameters = Code(description: "refusedParameters")
    }

    /// The kind of refusal.
    public let code: Code

    /// The problem and its remedy, as full sentences.
    public let message: String

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
