public import Foundation

extension NetworkError {
    /// What a server sent along with its refusal, up to a bound.
    ///
    /// Printed or dumped it shows its size only.
    public struct Body: Sendable {
        /// The most that is kept, in bytes.
        public static let limit = 64 * 1024

        /// The bytes, the first ``limit`` of them.
        public let data: Data

        /// Whether there were more.
        public let isTruncated: Bool

        /// The beginning of `body`.
        public init(_ body: Data) {
            data = Data(body.prefix(Self.limit))
            isTruncated = body.count > Self.limit
        }

        /// The body as the JSON value that an API describes its errors with.
        ///
        /// - Throws: what the decoder throws if the body is something else, as it is when a proxy answered.
        public func decode<Value: Decodable>(
            _ type: Value.Type,
            with decoder: JSONDecoder = JSONDecoder()
        ) throws -> Value {
            try decoder.decode(type, from: data)
        }
    }
}

extension NetworkError.Body: Redacted {
    var redactedSummary: String { "\(data.count) bytes\(isTruncated ? ", truncated" : ""), redacted" }
}
