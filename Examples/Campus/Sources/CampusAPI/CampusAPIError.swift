/// An error that keeps the API server from starting or running.
///
/// What a client of the API gets to see is an `APIError` in the answer, never this.
public struct CampusAPIError: Error, Sendable, CustomStringConvertible {
    /// What failed; more cases can come.
    public struct Code: Hashable, Sendable {
        private enum Value {
            case portTaken, cannotListen, databaseUnavailable, invalidFaults
        }

        private let value: Value

        /// Another process listens on the port.
        public static let portTaken = Self(value: .portTaken)
        /// The address cannot be listened on, for another reason.
        public static let cannotListen = Self(value: .cannotListen)
        /// The database file cannot be opened, migrated or seeded.
        public static let databaseUnavailable = Self(value: .databaseUnavailable)
        /// The text of ``Faults`` cannot be understood.
        public static let invalidFaults = Self(value: .invalidFaults)
    }

    /// What failed.
    public let code: Code
    /// What failed, with what, and what to do about it.
    public let message: String
    /// The error underneath, where there is one.
    public let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
