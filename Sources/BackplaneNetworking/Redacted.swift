/// A value with a credential or a payload in it, which must not reach a log by being printed, interpolated or dumped.
///
/// Internal to the module: outside, a conforming type is just one with a harmless description.
protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What may be shown in place of the contents.
    var redactedSummary: String { get }
}

extension Redacted {
    /// The type, without its contents.
    public var description: String { "\(Self.self)(\(redactedSummary))" }

    /// The type, without its contents.
    public var debugDescription: String { description }

    /// A mirror without children, so that dumping shows no contents either.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
