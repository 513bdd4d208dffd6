public import Foundation

extension NetworkError {
    /// The body of an error response, up to a limit.
    ///
    /// Its description and its dump show only its size.
    public struct Body: Sendable {
        /// The number of bytes to keep at most.
        public static let limit = 64 * 1024

        /// The first bytes of the body, at most ``limit``.
        public let data: Data

        /// Whether the body was longer than ``limit``.
        public let isTruncated: Bool

        /// Creates a value from the first bytes of `body`.
        public init(_ body: Data) {
            data = Data(body.prefix(Self.limit))
            isTruncated = body.count > Self.limit
        }

        /// Decodes the body as the JSON value that the API uses to describe its errors.
        ///
        /// - Throws: The error of the decoder if the body has another form, such as the page of a
        ///   proxy.
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
