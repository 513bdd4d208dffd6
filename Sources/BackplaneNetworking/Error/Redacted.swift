/// A value that contains a credential or a payload, which must never appear in a log.
///
/// Printing, interpolating or dumping the value shows only a summary. The protocol is internal to
/// the module. Outside, a conforming type only has a harmless description.
protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text to show instead of the contents.
    var redactedSummary: String { get }
}

extension Redacted {
    /// The type without its contents.
    public var description: String { "\(Self.self)(\(redactedSummary))" }

    /// The type without its contents.
    public var debugDescription: String { description }

    /// A mirror without children, so a dump shows no contents either.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
