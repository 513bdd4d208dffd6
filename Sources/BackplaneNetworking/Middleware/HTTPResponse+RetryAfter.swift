internal import Foundation
internal import HTTPTypes

extension Date {
    /// Creates the date of a header field, if the field has one of the three forms of RFC 9110
    /// section 5.6.7.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT
    ///     Sunday, 06-Nov-94 08:49:37 GMT
    ///     Sun Nov  6 08:49:37 1994
    init?(httpDate text: String) {
        var words = text.split { " ,-".contains($0) }.dropFirst().map(String.init)
        // The third form has the month before the day, the year at the end, and no time zone.
        let hasZone = words.first?.first?.isNumber == true
        let parts = hasZone ? [0, 1, 2, 3] : [1, 0, 3, 2]
        if hasZone, words.popLast() != "GMT" { return nil }
        guard words.count == 4,
            let day = Int(words[parts[0]]), let month = Self.months.firstIndex(of: words[parts[1]]),
            let year = Int(words[parts[2]]), [2, 4].contains(words[parts[2]].count)
        else { return nil }
        let time = words[parts[3]].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2] else { return nil }
        // Foundation accepts hours without a limit.
        guard (1...31).contains(day), (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let components = DateComponents(
            year: words[parts[2]].count == 2 ? Self.century(of: year) + year : year,
            month: month + 1,
            day: day,
            hour: hour,
            minute: minute,
            second: second
        )
        guard components.isValidDate(in: calendar), let date = calendar.date(from: components) else { return nil }
        self = date
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the century of a two-digit year: this one, or the last one if the year is more than
    /// 50 years ahead.
    private static func century(of year: Int) -> Int {
        let thisYear = Calendar(identifier: .gregorian).component(.year, from: Date())
        let century = thisYear / 100 * 100
        return century + year > thisYear + 50 ? century - 100 : century
    }
}

extension HTTPResponse {
    /// The time until the server accepts another request (RFC 9110 section 10.2.3), if the response
    /// says so.
    var retryAfter: Duration? {
        guard let value = headerFields[.retryAfter] else { return nil }
        // Only digits, because `Double` would also accept a sign or "nan".
        if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Double(value).flatMap { .clamped(seconds: $0) }
        }
        guard let date = Date(httpDate: value) else { return nil }
        let now = headerFields[.date].flatMap { Date(httpDate: $0) } ?? Date()
        return .clamped(seconds: max(0, date.timeIntervalSince(now)))
    }
}
