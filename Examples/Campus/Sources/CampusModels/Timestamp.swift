public import Foundation

/// A moment with a precision of one second, in the form of RFC 3339: `2026-11-21T16:20:00Z`.
public struct Timestamp: Hashable, Sendable {
    /// The moment as a date without a fraction of a second.
    public let date: Date

    /// Creates the moment of `date`, without its fraction of a second.
    public init(_ date: Date) {
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }
}

extension Timestamp: LosslessStringConvertible {
    /// Creates the moment from `2026-11-21T16:20:00Z`; `nil` for any other text.
    public init?(_ description: String) {
        guard let date = try? Date(description, strategy: .iso8601) else { return nil }
        self.init(date)
    }

    /// The moment as `2026-11-21T16:20:00Z`.
    public var description: String { date.formatted(.iso8601) }
}

extension Timestamp: Comparable {
    /// Returns whether `lhs` is the earlier moment.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.date < rhs.date }
}

extension Timestamp: Codable {
    /// Decodes the moment from its text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the text is not a moment.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let moment = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Not a moment written as 2026-11-21T16:20:00Z."
            )
        }
        self = moment
    }

    /// Encodes the moment as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
