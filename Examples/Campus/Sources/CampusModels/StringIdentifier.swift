/// The identity of one kind of thing: a string on the wire, a type of its own in code.
///
/// A `User.ID` cannot be passed where a `Course.ID` is asked for. Coded, it is a plain string, so it stands in JSON and in
/// a URL as itself. Any string is an identity; whether something has it is for its owner to say.
///
/// ```swift
/// let course: Course.ID = "abc123"
/// ```
public protocol StringIdentifier: RawRepresentable<String>, Codable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The identity written as `rawValue`.
    init(rawValue: String)
}

extension StringIdentifier {
    /// The identity written as `value`.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The identity as it is written.
    public var description: String { rawValue }
}
