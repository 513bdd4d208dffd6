/// Why a ``WebHost`` could not start.
public struct WebHostError: Error, CustomStringConvertible {
    /// What failed; more may be added.
    public struct Code: Hashable, Sendable {
        private enum Value { case portInUse, invalidTemplate }
        private let value: Value

        /// Another process listens on the port.
        public static let portInUse = Code(value: .portInUse)

        /// A template is not valid Mustache.
        public static let invalidTemplate = Code(value: .invalidTemplate)
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
}
