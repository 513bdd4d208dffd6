internal import Foundation
internal import HTTPTypes

extension HTTPResponse {
    /// The time until the server accepts another request (RFC 9110 section 10.2.3), if the response
    /// says so.
    var retryAfter: Duration? {
        guard let value = headerFields[.retryAfter] else { return nil }
        // Only digits, because `Double` would also accept a sign or "nan".
        if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Double(value).flatMap { .clamped(seconds: $0) }
        }
        let today = Date().timeIntervalSince1970
        guard let date = HTTPDate(value, now: today) else { return nil }
        let now = headerFields[.date].flatMap { HTTPDate($0, now: today) }?.seconds ?? today
        return .clamped(seconds: max(0, date.seconds - now))
    }
}
