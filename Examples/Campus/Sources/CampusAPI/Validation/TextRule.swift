import CampusModels
import HTTPTypes

/// A rule for a text that comes from a client.
///
/// No text may have control characters, except line feeds and tabs where it may have lines. SQLite
/// ends a bound text at its first NUL. So a text with a NUL is not the text that is compared or
/// stored. The other control characters make texts look different from what they are, in a log or
/// in a terminal. So do the characters that embed or override a direction of writing (U+202A to
/// U+202E), which Unicode discourages. Isolates (U+2066 to U+2069), which right-to-left texts need,
/// are allowed in texts with lines.
///
/// Lengths are limited in bytes of UTF-8, because a character can have any number of them.
struct TextRule: Sendable {
    /// The rule for IDs, keys and other texts that are compared.
    static let id = TextRule(byteLimit: 255, allowsLines: false)
    /// The rule for e-mail addresses (RFC 5321, section 4.5.3.1.3).
    static let email = TextRule(byteLimit: 254, allowsLines: false)
    /// The rule for passwords and tokens.
    static let secret = TextRule(byteLimit: 1024, allowsLines: false)
    /// The rule for the texts of messages.
    static let message = TextRule(byteLimit: NewMessage.textByteLimit, allowsLines: true)
    /// The rule for the texts of faults, which only the limit of bodies limits.
    static let faults = TextRule(byteLimit: .max, allowsLines: true)

    let byteLimit: Int
    let allowsLines: Bool

    /// Checks a text.
    ///
    /// - Throws: an error response with `status`, whose message has the name of the text but not
    ///   the text.
    func check(
        _ text: String,
        named name: String,
        failingWith status: HTTPResponse.Status = .unprocessableContent
    ) throws {
        guard text.unicodeScalars.allSatisfy(allows) else { throw APIFailure.controlCharacters(in: name, status) }
        guard text.utf8.count <= byteLimit else { throw APIFailure.tooLong(name, limit: byteLimit, status) }
    }

    private func allows(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x2028...0x2029, 0x2066...0x2069: allowsLines
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E: false
        default: true
        }
    }
}
