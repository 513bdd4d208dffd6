import Logging

/// The log of refused requests and of reached limits.
///
/// Each line has the same fields: the event, the client's address and the verdict. The session and
/// the path are added if they are known. No line has a cookie, a token, the ID of a window, a query
/// or a field of a form.
struct SecurityLog: Sendable {
    enum Event: String {
        /// A link that the app does not have.
        case unknownLink = "link.unknown"
        /// A link that a gate has denied.
        case deniedLink = "link.denied"
        /// A request that cannot be read.
        case malformedRequest = "request.malformed"
        /// A form that is larger than the limit.
        case longForm = "form.too-long"
        /// A form without the token of its page.
        case forgedForm = "form.forged"
        case sessionLimit = "limit.sessions"
        case visitorLimit = "limit.visitors"
        case windowLimit = "limit.windows"
        case streamLimit = "limit.streams"
    }

    enum Verdict: String {
        case refused
        /// The oldest one of its kind gives way.
        case replaced
    }

    let logger: Logger

    /// Writes a line.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - verdict: the decision of the host.
    ///   - client: the client's address; `nil` if it is not known.
    ///   - session: the session of the request, if there is one.
    ///   - link: the requested link; only the beginning of its path is logged.
    func note(
        _ event: Event,
        _ verdict: Verdict = .refused,
        from client: String?,
        session: SessionID? = nil,
        link: String? = nil
    ) {
        var metadata: Logger.Metadata = [
            "event": "\(event.rawValue)", "verdict": "\(verdict.rawValue)", "address": "\(client ?? "unknown")",
        ]
        if let session { metadata["session"] = "\(session)" }
        if let link { metadata["path"] = "\(link.prefix { $0 != "?" }.prefix(200))" }
        logger.notice("\(event.rawValue): \(verdict.rawValue)", metadata: metadata)
    }
}
