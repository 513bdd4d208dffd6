/// A command that the browser did not carry out.
public struct WebDriverError: Error, CustomStringConvertible {
    /// What went wrong: the error code of the W3C WebDriver protocol, or one of our own.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as the protocol writes it.
        public let rawValue: String

        /// The code written as `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No element matches.
        public static let noSuchElement = Code(rawValue: "no such element")
        /// The element is no longer part of the page.
        public static let staleElement = Code(rawValue: "stale element reference")
        /// Another element would get the click.
        public static let elementClickIntercepted = Code(rawValue: "element click intercepted")
        /// The script threw.
        public static let javaScriptError = Code(rawValue: "javascript error")
        /// The script did not end in time, or its page was left before it ended.
        public static let scriptTimeout = Code(rawValue: "script timeout")
        /// The page was left before the command was carried out.
        public static let abortedByNavigation = Code(rawValue: "aborted by navigation")
        /// What was waited for did not come in time.
        public static let timeout = Code(rawValue: "timeout")
        /// The driver's answer is not one of the protocol.
        public static let invalidAnswer = Code(rawValue: "invalid answer")
    }

    /// What went wrong.
    public let code: Code
    /// What was asked for, and what the browser said.
    public let message: String

    /// Code and message.
    public var description: String { "\(code.rawValue): \(message)" }
}
