/// The outcome of a request, as far as it is known after an attempt.
///
/// Its initializer is the only place where the network layer reads an outcome from a status (N23).
/// The article "Outcomes of requests" of `BackplaneNetworking` has it as a table.
package enum RequestOutcome: String, Hashable, Sendable {
    /// The server has carried out the request.
    case carriedOut
    /// The server has carried out no attempt, and would refuse the next one.
    case refused
    /// The server has carried out no attempt, and may carry out the next one.
    case open
    /// The server may have carried out an attempt, or carries it out later.
    case unknown

    /// The end of one attempt.
    package enum End: Hashable, Sendable {
        /// The request has certainly not reached the server.
        case notSent
        /// The request may have reached the server, and no complete response arrived.
        case noResponse
        /// A response with this status arrived.
        case response(Int)
    }

    /// Reads the outcome of a request from the end of its last attempt.
    ///
    /// - Parameters:
    ///   - end: The end of the attempt.
    ///   - isFirst: Whether no earlier attempt has an unknown outcome.
    ///   - hasKey: Whether all attempts have one idempotency key. A server that remembers keys
    ///     looks for the key before it checks anything else. So it repeats its response to the
    ///     earlier attempt, or it has not received that one. Some statuses speak only about this
    ///     attempt, the credentials or the app.
    ///   - isDeletion: Whether the request deletes something, so that an earlier attempt may be the
    ///     reason why nothing is there.
    package init(after end: End, isFirst: Bool = true, hasKey: Bool = false, isDeletion: Bool = false) {
        guard case .response(let status) = end else {
            self = end == .notSent && isFirst ? .open : .unknown
            return
        }
        self =
            switch status {
            case 200..<300: .carriedOut
            case _ where !isFirst && isDeletion && [404, 410].contains(status): .carriedOut
            case 401: isFirst ? .open : .unknown
            case 408, 425, 429: .unknown
            case 400, 403, 404, 410, 412, 422: isFirst || hasKey ? .refused : .unknown
            case 400..<500: isFirst ? .refused : .unknown
            default: .unknown
            }
    }
}
