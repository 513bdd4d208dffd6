import Foundation

/// The fields of an `application/x-www-form-urlencoded` body (URL Standard, 5.1).
struct Form {
    /// The fields by name; of several of one name the last counts.
    private(set) var fields: [String: String] = [:]

    /// The fields of `body`, or `nil` if an escape is malformed or the text is not UTF-8.
    init?(_ body: String) {
        for pair in body.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : "") else {
                return nil
            }
            fields[name] = value
        }
    }

    /// Takes a field of the host's out of the fields.
    mutating func take(_ name: String) -> String? { fields.removeValue(forKey: name) }

    private static func decode(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
