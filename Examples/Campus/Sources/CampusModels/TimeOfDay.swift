/// A time of the day, without date and time zone, written as `09:30`.
public struct TimeOfDay: Hashable, Sendable {
    /// The hour, 0 to 23.
    public let hour: Int
    /// The minute, 0 to 59.
    public let minute: Int

    /// Creates the time at `hour` and `minute`; `nil` if this time does not exist.
    public init?(hour: Int, minute: Int) {
        guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
        self.hour = hour
        self.minute = minute
    }
}

extension TimeOfDay: LosslessStringConvertible {
    /// Creates the time from two digits, a colon and two digits; `nil` for any other text.
    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(Self.digits.contains) }),
            let hour = Int(parts[0]), let minute = Int(parts[1])
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    /// The time as `09:30`.
    public var description: String {
        [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
}

extension TimeOfDay: Comparable {
    /// Returns whether `lhs` is the earlier time of the day.
    public static func < (lhs: TimeOfDay, rhs: TimeOfDay) -> Bool {
        (lhs.hour, lhs.minute) < (rhs.hour, rhs.minute)
    }
}

extension TimeOfDay: Codable {
    /// Decodes the time from its text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the text is not a time of the day.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = TimeOfDay(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Not a time of the day written as 09:30."
            )
        }
        self = time
    }

    /// Encodes the time as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
