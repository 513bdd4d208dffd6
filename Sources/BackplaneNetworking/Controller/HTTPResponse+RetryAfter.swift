internal import Foundation
internal import HTTPTypes

extension HTTPResponse {
    /// How long the server wants not to be asked again (RFC 9110 section 10.2.3), if it says so.
    var retryAfter: Duration? {
        guard let value = headerFields[.retryAfter] else { return nil }
        // Digits only: `Double` would take a sign, or "nan".
        if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Double(value).flatMap { .clamped(seconds: $0) }
        }
        guard let date = Date(httpDate: value) else { return nil }
        let now = headerFields[.date].flatMap { Date(httpDate: $0) } ?? Date()
        return .clamped(seconds: max(0, date.timeIntervalSince(now)))
    }
}
