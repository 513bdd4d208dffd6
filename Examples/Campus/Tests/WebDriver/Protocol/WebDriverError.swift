/// An error for a command that the browser did not perform.
public struct WebDriverError: Error, CustomStringConvertible {
    /// An error code of the W3C WebDriver protocol, or of this library.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's text in the protocol.
        public let rawValue: String

        /// Creates a code from its text in the protocol.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No element matches.
        public static let noSuchElement = Code(rawValue: "no such element")
        /// The element is no longer part of the page.
        public static let staleElement = Code(rawValue: "stale element reference")
        /// Another element would receive the click.
        public static let elementClickIntercepted = Code(rawValue: "element click intercepted")
        /// The script threw an error.
        public static let javaScriptError = Code(rawValue: "javascript error")
        /// The script did not end in time, or the browser left its page before that.
        public static let scriptTimeout = Code(rawValue: "script timeout")
        /// The browser left the page before the command was performed.
        public static let abortedByNavigation = Code(rawValue: "aborted by navigation")
        /// The awaited change of the page did not happen in time.
        public static let timeout = Code(rawValue: "timeout")
        /// The driver's response does not follow the protocol.
        public static let invalidAnswer = Code(rawValue: "invalid answer")
    }

    /// The error code.
    public let code: Code
    /// The command, and the browser's explanation.
    public let message: String

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
