/// The reason why a ``WebHost`` failed to start.
public struct WebHostError: Error, CustomStringConvertible {
    /// The kind of the error; later versions may add more.
    public struct Code: Hashable, Sendable {
        private enum Value { case portInUse, invalidTemplate, storeUnreadable, invalidConfiguration }
        private let value: Value

        /// Another process listens on the port.
        public static let portInUse = Code(value: .portInUse)

        /// A template is not valid Mustache.
        public static let invalidTemplate = Code(value: .invalidTemplate)

        /// The store failed to return its records.
        public static let storeUnreadable = Code(value: .storeUnreadable)

        /// A value of the configuration is not valid.
        public static let invalidConfiguration = Code(value: .invalidConfiguration)
    }

    /// The kind of the error.
    public let code: Code

    /// The failure, and how to correct it.
    public let description: String

    /// The underlying error; `nil` if there is none.
    public let cause: (any Error)?

    static func portInUse(_ port: Int, host: String, cause: any Error) -> WebHostError {
        WebHostError(
            code: .portInUse,
            description: "Port \(port) of \(host) is already in use. End the process that listens there, or choose "
                + "another port with --port.",
            cause: cause
        )
    }

    static func invalidTemplate(_ name: String, cause: any Error) -> WebHostError {
        WebHostError(
            code: .invalidTemplate,
            description: "The template '\(name)' is not valid Mustache. Correct it as this error says: \(cause)",
            cause: cause
        )
    }

    static func invalidConfiguration(_ value: String, isNot kind: String) -> WebHostError {
        WebHostError(code: .invalidConfiguration, description: "'\(value)' is not \(kind)", cause: nil)
    }

    static func storeUnreadable(cause: any Error) -> WebHostError {
        WebHostError(
            code: .storeUnreadable,
            description: "The stored sessions cannot be read. Repair the store, or remove it to end all sessions: "
                + "\(cause)",
            cause: cause
        )
    }
}
