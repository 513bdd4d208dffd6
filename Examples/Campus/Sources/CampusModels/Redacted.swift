/// A value that contains a password or a token, and hides it from logs.
///
/// When printed, interpolated or dumped, it shows its type and `<redacted>`. Coding does not
/// change: the encoded value contains the secret.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The type's name, without contents.
    public var description: String { "\(Self.self)(<redacted>)" }
    /// The type's name, without contents.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
