/// The ID of a mutation on the device and on the server: the server carries out a request with a
/// known key only once.
///
/// A key has 122 random bits, written as a UUID of version 4 (RFC 9562). Servers that accept the
/// `Idempotency-Key` header expect this format.
public struct IdempotencyKey: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Creates a unique key.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    package init(using generator: inout some RandomNumberGenerator) {
        high = generator.next() & ~0xF000 | 0x4000
        low = generator.next() & ~(0b11 << 62) | 0b10 << 62
    }

    /// Creates a key from its text, or `nil` if the text is not a UUID.
    ///
    /// For a key that was written to a file. A new operation needs a new key.
    public init?(_ text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard text.utf8.count == 36, digits.count == 32,
            let high = UInt64(String(decoding: digits.prefix(16), as: UTF8.self), radix: 16),
            let low = UInt64(String(decoding: digits.suffix(16), as: UTF8.self), radix: 16)
        else { return nil }
        (self.high, self.low) = (high, low)
    }

    /// The key as it is sent: a UUID in lowercase letters.
    public var description: String {
        let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
        var text = ""
        for (offset, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(offset) { text += "-" }
            text.append(digit)
        }
        return text
    }

    /// D27: Whether a status tells, after an attempt without an outcome, that the server has not
    /// carried out the request with a key.
    ///
    /// A server that remembers keys looks for the key before it checks anything about the request.
    /// So these are the response of the earlier attempt, or the server has not received that one.
    /// Other statuses speak only about the attempt, the credentials or the app.
    ///
    /// - Parameter status: A status from 400 to 499.
    /// - Returns: Whether the outcome is known now.
    package static func isKnown(byStatus status: Int) -> Bool { [400, 403, 404, 410, 412, 422].contains(status) }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
