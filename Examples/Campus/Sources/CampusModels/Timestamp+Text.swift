import Foundation

extension Timestamp {
    /// The moment as a text for the user: `2026-11-21 16:20:00 UTC`.
    public var text: String {
        let style = Date.ISO8601FormatStyle().year().month().day().dateTimeSeparator(.space)
        return date.formatted(style.time(includingFractionalSeconds: false)) + " UTC"
    }
}
