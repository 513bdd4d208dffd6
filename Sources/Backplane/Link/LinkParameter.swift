/// A type that a link's parameter can be read as.
///
/// `String`, the standard integers, `Double` and `Bool` conform. A `RawRepresentable` type of one
/// of these only has to declare the conformance:
///
/// ```swift
/// enum Tab: String, LinkParameter { case tutor, schedule, todos }
/// struct CourseID: RawRepresentable, LinkParameter { let rawValue: String }
/// ```
///
/// A type from another module needs no conformance: `try link["id", UUID.init(uuidString:)]`.
public protocol LinkParameter {
    /// Creates the value that the decoded text `linkText` stands for; `nil` if there is none.
    init?(linkText: String)
}

extension LinkParameter where Self: RawRepresentable, RawValue: LinkParameter {
    /// Creates the value whose raw value `linkText` stands for; `nil` if there is none.
    @inlinable public init?(linkText: String) {
        guard let rawValue = RawValue(linkText: linkText) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension LinkParameter where Self: FixedWidthInteger {
    /// Creates an integer from its decimal digits; `nil` if it does not fit.
    @inlinable public init?(linkText: String) {
        self.init(linkText, radix: 10)
    }
}

extension String: LinkParameter {
    /// Creates a string with the text itself.
    @inlinable public init?(linkText: String) {
        self = linkText
    }
}

extension Bool: LinkParameter {
    /// Creates a value from `true` or `false`; `nil` for any other text.
    @inlinable public init?(linkText: String) {
        self.init(linkText)
    }
}

extension Double: LinkParameter {
    /// Creates a finite number from its text; `nil` for any other text.
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
