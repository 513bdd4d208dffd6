import Crypto

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

    /// What tells the secret from others and does not give it away: by this it is looked up and stored.
    ///
    /// A plain SHA-256 will do: what is hashed is 128 random bits, which nobody can go through.
    var fingerprint: String {
        SHA256.hash(data: Array(digits.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }

    var description: String { "<secret>" }
}

extension Secret: Codable {
    /// Refuses what ``random()`` cannot have made: an empty secret would match an empty field.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        digits = try container.decode(String.self)
        guard digits.utf8.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is not a secret.")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(digits)
    }
}
