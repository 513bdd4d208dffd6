import Foundation

/// An ID of one kind of value: a string on the wire, and a separate type in code.
///
/// A `User.ID` cannot be passed as a `Course.ID`. The encoded ID is a plain string, in JSON and in
/// URLs. Any string is a valid ID. Only the owner of the values knows whether a value with this ID
/// exists.
///
/// ```swift
/// let course: Course.ID = "abc123"
/// ```
public protocol StringIdentifier: RawRepresentable<String>, Codable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// Creates the ID with the text `rawValue`.
    init(rawValue: String)
}

extension StringIdentifier {
    /// Creates the ID with the text `value`.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The ID as text.
    public var description: String { rawValue }

    /// The ID as one segment of a path, percent-encoded: `ink%20%26%20paper`.
    public var pathSegment: String { rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}
