/// An error that prevents the API server from starting or running.
///
/// Clients of the API never see it. They receive an `APIError` in the response.
public struct CampusAPIError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error; later versions may have more.
    public struct Code: Hashable, Sendable {
        private enum Value {
            case portTaken, cannotListen, databaseUnavailable, databaseInUse, invalidFaults
        }

        private let value: Value

        /// Another process listens on the port.
        public static let portTaken = Self(value: .portTaken)
        /// The server cannot listen on the address, for another reason.
        public static let cannotListen = Self(value: .cannotListen)
        /// The database file cannot be opened, migrated or seeded.
        public static let databaseUnavailable = Self(value: .databaseUnavailable)
        /// Another server uses the database file.
        public static let databaseInUse = Self(value: .databaseInUse)
        /// The text of ``Faults`` is not valid.
        public static let invalidFaults = Self(value: .invalidFaults)
    }

    /// The kind of the error.
    public let code: Code
    /// A message that says what failed and what to do about it.
    public let message: String
    /// The underlying error; `nil` if there is none.
    public let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
