public import HTTPTypes

/// A record of one exchange with a server, made after the exchange ends.
///
/// It contains the data that a log needs. It contains no header fields, no query and no bodies. A
/// request that is sent again, after a refresh or by a retry, makes one observation each time. A
/// refresh makes an observation too. A response from the cache makes no observation.
///
/// The description is one log line: `GET /v1/me 200 in 0.012 seconds`.
public struct NetworkObservation: Sendable {
    /// The method of the request.
    public let method: HTTPRequest.Method

    /// The path of the request, percent-encoded and without the query.
    public let path: String

    /// The status of the response, or the error if no complete response arrived.
    ///
    /// A cancelled request has the code ``NetworkError/Code/cancelled``.
    public let result: Result<HTTPResponse.Status, NetworkError>

    /// The duration of the exchange.
    public let duration: Duration
}

extension NetworkObservation: CustomStringConvertible {
    /// The exchange as one log line.
    public var description: String {
        let end =
            switch result {
            case .success(let status): "\(status.code)"
            case .failure(let error): "\(error.code)"
            }
        return "\(method) \(path) \(end) in \(duration)"
    }
}
