/// The date of a header field, as seconds since 1970 (RFC 9110 section 5.6.7).
///
/// Exactly the three forms of the standard are accepted, with upper and lower case as written here:
///
///     Sun, 06 Nov 1994 08:49:37 GMT
///     Sunday, 06-Nov-94 08:49:37 GMT
///     Sun Nov  6 08:49:37 1994
///
/// Anything else is `nil`: another zone, a missing zero, a space too many, a day that the month
/// does not have.
struct HTTPDate: Sendable {
    let seconds: Double

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Reads a date; `now` chooses the century of a year with two digits.
    init?(_ text: String, now: Double) {
        var scanner = Scanner(rest: Substring(text).utf8)
        let name = scanner.letters()
        let parts: (day: Int, month: Int, year: Int, time: Int)?
        if Self.days.contains(name) {
            parts = Self.obsolete(&scanner, now: now)
        } else if Self.days.contains(where: { $0.prefix(3) == name }) {
            parts = scanner.take(",") ? Self.fixed(&scanner) : Self.asctime(&scanner)
        } else {
            return nil
        }
        guard let (day, month, year, time) = parts, scanner.rest.isEmpty,
            (1...Self.length(of: month, year)).contains(day)
        else { return nil }
        seconds = Double(Self.daysSince1970(year, month, day) * 86_400 + time)
    }

    private static func fixed(_ scanner: inout Scanner) -> (Int, Int, Int, Int)? {
        guard scanner.take(" "), let day = scanner.digits(2), scanner.take(" "), let month = month(&scanner),
            scanner.take(" "), let year = scanner.digits(4), scanner.take(" "), let time = time(&scanner),
            scanner.take(" GMT")
        else { return nil }
        return (day, month, year, time)
    }

    private static func obsolete(_ scanner: inout Scanner, now: Double) -> (Int, Int, Int, Int)? {
        guard scanner.take(", "), let day = scanner.digits(2), scanner.take("-"), let month = month(&scanner),
            scanner.take("-"), let short = scanner.digits(2), scanner.take(" "), let time = time(&scanner),
            scanner.take(" GMT")
        else { return nil }
        // A year more than 50 years ahead is the last one in the past with these digits.
        let thisYear = 1970 + Int(now / 31_556_952)
        let year = thisYear / 100 * 100 + short
        return (day, month, year > thisYear + 50 ? year - 100 : year, time)
    }

    private static func asctime(_ scanner: inout Scanner) -> (Int, Int, Int, Int)? {
        guard scanner.take(" "), let month = month(&scanner), scanner.take(" ") else { return nil }
        guard let day = scanner.take(" ") ? scanner.digits(1) : scanner.digits(2), scanner.take(" "),
            let time = time(&scanner), scanner.take(" "), let year = scanner.digits(4)
        else { return nil }
        return (day, month, year, time)
    }

    private static func month(_ scanner: inout Scanner) -> Int? {
        months.firstIndex(of: scanner.letters()).map { $0 + 1 }
    }

    private static func time(_ scanner: inout Scanner) -> Int? {
        guard let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2), scanner.take(":"),
            let second = scanner.digits(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func length(of month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Counts days in the Gregorian calendar.
    ///
    /// The year begins in March, so that a leap day is its last one.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // 400 years later, because a year before 0 would be rounded up.
        let year = (month > 2 ? year : year - 1) + 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        // 1970-01-01 is day 719,468 of a calendar that begins on 0000-03-01, and 400 years have
        // 146,097 days.
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
    }

    private struct Scanner {
        var rest: Substring.UTF8View

        mutating func letters() -> String {
            let word = rest.prefix { (UInt8(ascii: "A")...UInt8(ascii: "z")).contains($0) }
            rest = rest.dropFirst(word.count)
            return String(decoding: word, as: UTF8.self)
        }

        mutating func digits(_ count: Int) -> Int? {
            let number = rest.prefix(count)
            guard number.count == count else { return nil }
            var value = 0
            for byte in number {
                guard byte.isDigit else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(count)
            return value
        }

        mutating func take(_ text: StaticString) -> Bool {
            let text = text.withUTF8Buffer { Array($0) }
            guard rest.starts(with: text) else { return false }
            rest = rest.dropFirst(text.count)
            return true
        }
    }
}

extension UInt8 {
    /// Whether the byte is one of the digits 0 to 9.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
