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
    /// Use it for a key that was written to a file. A new operation needs a new key.
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
        String(unsafeUninitializedCapacity: 36) { text in
            var next = 0
            for number in [high, low] {
                for shift in stride(from: 60, through: 0, by: -4) {
                    if [8, 13, 18, 23].contains(next) {
                        text[next] = UInt8(ascii: "-")
                        next += 1
                    }
                    let digit = UInt8(number >> UInt64(shift) & 0xF)
                    text[next] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
                    next += 1
                }
            }
            return next
        }
    }
}
