public import HTTPTypes

/// A record of one exchange with a server, made after the exchange ends.
///
/// It contains the data that a log needs. It contains no header fields, no query and no bodies. A
/// request that is sent again, after a refresh or by a retry, makes one observation each time. A
/// refresh makes an observation too. A response from the cache makes no observation.
///
/// The description is one log line: `GET /v1/me 200 in 0.012 seconds`.
public struct NetworkObservation: Sendable {
    /// The way an exchange ends.
    public enum Outcome: Hashable, Sendable {
        /// A response arrived, with any status.
        case responded(HTTPResponse.Status)
        /// The exchange failed without a complete response.
        case failed(NetworkError.Code)
        /// The request was cancelled before its response arrived.
        case cancelled
    }

    /// The method of the request.
    public let method: HTTPRequest.Method

    /// The path of the request, percent-encoded and without the query.
    public let path: String

    /// The way the exchange ended.
    public let outcome: Outcome

    /// The duration of the exchange.
    public let duration: Duration
}

extension NetworkObservation: CustomStringConvertible {
    /// The exchange as one log line.
    public var description: String {
        let outcome =
            switch outcome {
            case .responded(let status): "\(status.code)"
            case .failed(let code): "\(code)"
            case .cancelled: "cancelled"
            }
        return "\(method) \(path) \(outcome) in \(duration)"
    }
}
