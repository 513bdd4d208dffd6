/// A value with a password or a token in it, which must not reach a log by being printed.
///
/// Printed, interpolated or dumped, it shows its type and `<redacted>`. Coding is untouched: the wire carries the secret.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name, without contents.
    public var description: String { "\(Self.self)(<redacted>)" }
    /// The type's name, without contents.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
