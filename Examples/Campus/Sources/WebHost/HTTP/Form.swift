import Foundation

/// The fields of an `application/x-www-form-urlencoded` body (URL Standard, 5.1).
///
/// This is where text enters the host, so no name and no value has a control character except tabs
/// and line ends. Pasted text can have others, which are removed. A NUL cannot come from a text
/// field of a browser, and other programs take it for the end of a text, so a form with a NUL is
/// malformed.
struct Form {
    /// The fields by name; if a name occurs more than once, the last field wins.
    private(set) var fields: [String: String] = [:]

    /// Creates the fields of `body`; `nil` if an escape is malformed, if the text is not UTF-8, or
    /// if it has a NUL.
    init?(_ body: String) {
        for pair in body.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : "") else {
                return nil
            }
            fields[name] = value
        }
    }

    /// Removes one of the host's own fields, and returns its value.
    mutating func take(_ name: String) -> String? { fields.removeValue(forKey: name) }

    private static func decode(_ text: Substring) -> String? {
        guard let text = text.replacing("+", with: " ").removingPercentEncoding else { return nil }
        guard text.unicodeScalars.contains(where: isRemoved) else { return text }
        guard !text.unicodeScalars.contains("\0") else { return nil }
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.filter { !isRemoved($0) })
        return String(kept)
    }

    private static func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && !["\t", "\n", "\r"].contains(scalar)
    }
}
