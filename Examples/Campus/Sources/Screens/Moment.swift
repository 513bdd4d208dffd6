public import Foundation

/// A moment, as a text that names its time zone, and in a form that the script of a page reads.
public struct Moment: Hashable, Sendable {
    /// The moment in the form of RFC 3339: `2026-11-21T16:20:00Z`.
    public let iso: String
    /// The moment as a text for the user: `2026-11-21 16:20:00 UTC`.
    public let text: String

    /// Creates the moment of `date`, without its fraction of a second.
    public init(_ date: Date) {
        iso = date.formatted(.iso8601)
        let style = Date.ISO8601FormatStyle().year().month().day().dateTimeSeparator(.space)
        text = date.formatted(style.time(includingFractionalSeconds: false)) + " UTC"
    }
}
