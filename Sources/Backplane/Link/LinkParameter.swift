/// A type that a link's parameter can be read as.
///
/// `String`, the standard integers, `Double` and `Bool` conform, and so can any `RawRepresentable` of those by saying so:
///
/// ```swift
/// enum Tab: String, LinkParameter { case tutor, schedule, todos }
/// struct CourseID: RawRepresentable, LinkParameter { let rawValue: String }
/// ```
///
/// A type of someone else's needs no conformance: `try link["id", UUID.init(uuidString:)]`.
public protocol LinkParameter {
    /// The value that the decoded text `linkText` stands for, or nil if it stands for none.
    init?(linkText: String)
}

extension LinkParameter where Self: RawRepresentable, RawValue: LinkParameter {
    /// The value whose raw value `linkText` stands for.
    @inlinable public init?(linkText: String) {
        guard let rawValue = RawValue(linkText: linkText) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension LinkParameter where Self: FixedWidthInteger {
    /// The integer with these decimal digits; nil when it does not fit.
    @inlinable public init?(linkText: String) {
        self.init(linkText, radix: 10)
    }
}

extension String: LinkParameter {
    /// The text itself.
    @inlinable public init?(linkText: String) {
        self = linkText
    }
}

extension Bool: LinkParameter {
    /// `true` or `false`, written so.
    @inlinable public init?(linkText: String) {
        self.init(linkText)
    }
}

extension Double: LinkParameter {
    /// The finite number written so.
    @inlinable public init?(linkText: String) {
        guard let value = Double(linkText), value.isFinite else { return nil }
        self = value
    }
}

extension Int: LinkParameter {}
extension Int8: LinkParameter {}
extension Int16: LinkParameter {}
extension Int32: LinkParameter {}
extension Int64: LinkParameter {}
extension UInt: LinkParameter {}
extension UInt8: LinkParameter {}
extension UInt16: LinkParameter {}
extension UInt32: LinkParameter {}
extension UInt64: LinkParameter {}
