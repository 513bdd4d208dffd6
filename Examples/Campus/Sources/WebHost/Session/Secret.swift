import Foundation
import Hashing

/// A random name that cannot be guessed: 128 bits, written as 32 hexadecimal digits.
///
/// Its description hides it, so that it does not appear in a log.
struct Secret: Hashable, Sendable, CustomStringConvertible {
    /// The hexadecimal digits.
    let digits: String

    /// Returns a new secret from the system's random number generator.
    static func random() -> Secret {
        var generator = SystemRandomNumberGenerator()
        let halves = (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return Secret(digits: halves.joined())
    }

    /// Returns whether `text` is this secret, in a time that does not depend on where they differ.
    func matches(_ text: String) -> Bool {
        let expected = digits.utf8
        let given = text.utf8
        guard expected.count == given.count else { return false }
        return zip(expected, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The hash of the secret, used to find and store it without revealing it.
    ///
    /// A plain SHA-256 is enough, because 128 random bits have too many values to try them all.
    var fingerprint: String { Hashing.sha256(Data(digits.utf8)).hexadecimal }

    var description: String { "<secret>" }
}

extension Secret: Codable {
    /// Decodes a secret, and throws for a text that ``random()`` cannot return.
    ///
    /// An empty secret, for example, would match an empty field.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        digits = try container.decode(String.self)
        guard digits.utf8.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is not a secret.")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(digits)
    }
}

extension Data {
    /// The bytes as hexadecimal digits, two for each byte.
    var hexadecimal: String {
        map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}
