/// A random name that cannot be guessed: 128 bits, written as 32 hexadecimal digits.
///
/// Its description hides it, so that it does not end up in a log.
struct Secret: Hashable, Sendable, CustomStringConvertible {
    /// The digits.
    let digits: String

    /// A new one, from the system's random number generator.
    static func random() -> Secret {
        var generator = SystemRandomNumberGenerator()
        let halves = (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return Secret(digits: halves.joined())
    }

    /// Whether `text` is this secret, found out in a time that does not depend on where they differ.
    func matches(_ text: String) -> Bool {
        let expected = digits.utf8
        let given = text.utf8
        guard expected.count == given.count else { return false }
        return zip(expected, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    var description: String { "<secret>" }
}
