import Foundation

/// An e-mail address in the one form in which the server stores, compares and counts it.
///
/// White space around it is removed, letters are in lower case, and characters are composed (NFC).
/// The database compares bytes. So two texts are the same address exactly if they name the same
/// account.
struct EmailAddress: Hashable, Sendable {
    /// The normalized address.
    let text: String

    /// Normalizes the text that a client sent.
    ///
    /// - Throws: status 422 if the text has control characters or is too long.
    init(_ text: String) throws {
        let normalized = text.trimmingCharacters(in: .whitespaces).lowercased().precomposedStringWithCanonicalMapping
        try TextRule.email.check(normalized, named: "'email'")
        self.text = normalized
    }
}
