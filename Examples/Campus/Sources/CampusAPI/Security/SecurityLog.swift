import CoreMetrics
import Foundation
import Hashing
import Logging

/// The log of events that matter for security, which also counts them.
///
/// A line names the event, the verdict, the user and the client's address in its metadata. It has
/// no password, no token and no e-mail address.
struct SecurityLog: Sendable {
    private let logger: Logger
    private let key = Hashing.randomBytes(32)

    init(logger: Logger) {
        self.logger = logger
    }

    /// Writes a line and counts the event.
    func record(_ event: SecurityEvent, user: String? = nil, client: ClientAddress) {
        Counter(
            label: "campus.api.security_events",
            dimensions: [("event", event.name), ("verdict", event.verdict)]
        ).increment()
        var metadata: Logger.Metadata = [
            "event": "\(event.name)", "verdict": "\(event.verdict)", "client": "\(client.text)",
        ]
        if let user { metadata["user"] = "\(user)" }
        logger.log(level: event.level, "\(event.name) \(event.verdict)", metadata: metadata)
    }

    /// Returns a name for the user of a sign-in that failed: a keyed hash.
    ///
    /// It is the same for the same e-mail address until the process ends. A user may have typed the
    /// password in the place of the e-mail address.
    func alias(of email: EmailAddress) -> String {
        let code = Hashing.hmacSHA256(of: Data(email.text.utf8), key: key)
        let digits = code.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return "email:\(digits.joined())"
    }
}
