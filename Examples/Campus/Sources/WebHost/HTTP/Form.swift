import Foundation

/// The fields of an `application/x-www-form-urlencoded` body (URL Standard, 5.1).
struct Form {
    /// The fields by name; if a name occurs more than once, the last field wins.
    private(set) var fields: [String: String] = [:]

    /// Creates the fields of `body`; `nil` if an escape is malformed or the text is not UTF-8.
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
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
