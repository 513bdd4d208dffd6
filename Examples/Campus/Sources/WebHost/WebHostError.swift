/// Why a ``WebHost`` could not start.
public struct WebHostError: Error, CustomStringConvertible {
    /// What failed; more may be added.
    public struct Code: Hashable, Sendable {
        private enum Value { case portInUse, invalidTemplate, storeUnreadable }
        private let value: Value

        /// Another process listens on the port.
        public static let portInUse = Code(value: .portInUse)

        /// A template is not valid Mustache.
        public static let invalidTemplate = Code(value: .invalidTemplate)

        /// The store does not hand out its records.
        public static let storeUnreadable = Code(value: .storeUnreadable)
    }

    /// What failed.
    public let code: Code

    /// What failed, with what, and what to do about it.
    public let description: String

    /// The error underneath.
    public let cause: any Error

    static func portInUse(_ port: Int, host: String, cause: any Error) -> WebHostError {
        WebHostError(
            code: .portInUse,
            description: "Port \(port) of \(host) is already in use: end the process that listens there, or choose "
                + "another port with --port.",
            cause: cause
        )
    }

    static func invalidTemplate(_ name: String, cause: any Error) -> WebHostError {
        WebHostError(
            code: .invalidTemplate,
            description: "The template '\(name)' is not valid Mustache: correct it at the place named. \(cause)",
            cause: cause
        )
    }

    static func storeUnreadable(cause: any Error) -> WebHostError {
        WebHostError(
            code: .storeUnreadable,
            description: "The stored sessions cannot be read: mend the store, or remove it, and everybody starts anew. "
                + "\(cause)",
            cause: cause
        )
    }
}
