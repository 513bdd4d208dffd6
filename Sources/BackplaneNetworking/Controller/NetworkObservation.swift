public import HTTPTypes

/// One exchange with a server, told after the fact.
///
/// It has what a log needs and nothing that must not be in one: no header fields, no query, no bodies. A request that is
/// sent again, after a refresh or by a retry, is an exchange each time, and the refresh is one too; an answer from memory is
/// none.
///
/// Its description is a line for a log: `GET /v1/me 200 in 0.012 seconds`.
public struct NetworkObservation: Sendable {
    /// How an exchange ended.
    public enum Outcome: Hashable, Sendable {
        /// The server answered, with whatever status.
        case answered(HTTPResponse.Status)
        /// There was no answer.
        case failed(NetworkError.Code)
        /// The request was cancelled before there was an answer.
        case cancelled
    }

    /// The request's method.
    public let method: HTTPRequest.Method

    /// The request's path, percent-encoded, without its query.
    public let path: String

    /// How the exchange ended.
    public let outcome: Outcome

    /// How long it took.
    public let duration: Duration
}

extension NetworkObservation: CustomStringConvertible {
    /// The exchange as a line for a log.
    public var description: String {
        let outcome =
            switch outcome {
            case .answered(let status): "\(status.code)"
            case .failed(let code): "\(code)"
            case .cancelled: "cancelled"
            }
        return "\(method) \(path) \(outcome) in \(duration)"
    }
}
