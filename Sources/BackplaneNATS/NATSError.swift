#if NATS
    /// The reason why a remote board or a connection failed.
    ///
    /// The message says which board or which file failed and what to do. It contains no payload.
    public struct NATSError: Error, Sendable, CustomStringConvertible {
        /// The kind of failure.
        public struct Code: Hashable, Sendable, CustomStringConvertible {
            /// The name of the code.
            public let description: String

            /// The server or the worker did not answer before the deadline.
            public static let unreachable = Code(description: "unreachable")
            /// The job was stored, and no worker began it before the deadline; it is a dead letter.
            public static let unserved = Code(description: "unserved")
            /// A queue is full; try again later.
            public static let busy = Code(description: "busy")
            /// A payload is larger than the limit of the connection.
            public static let tooLarge = Code(description: "tooLarge")
            /// A payload, a setting or an answer cannot be read.
            public static let invalid = Code(description: "invalid")
            /// The board failed on its worker.
            public static let failed = Code(description: "failed")
            /// A worker gave the job up; it is a dead letter.
            public static let deadLettered = Code(description: "deadLettered")
        }

        /// The kind of failure.
        public let code: Code
        /// The failure and its remedy, in a sentence.
        public let message: String

        /// The message.
        public var description: String { message }

        init(_ code: Code, _ message: String) {
            self.code = code
            self.message = message
        }
    }
#endif
