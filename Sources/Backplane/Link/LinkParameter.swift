/// A type into which a parameter of a link can be converted.
///
/// `String`, the standard integers, `Double` and `Bool` conform. A `RawRepresentable` type whose
/// raw value has one of these types only has to declare the conformance:
///
/// ```swift
/// enum Tab: String, LinkParameter { case tutor, schedule, todos }
/// struct CourseID: RawRepresentable, LinkParameter { let rawValue: String }
/// ```
///
/// A type from another module needs no conformance: `try link["id", UUID.init(uuidString:)]`.
public protocol LinkParameter {
    /// Creates the value from the decoded text `linkText`; `nil` if the text is not valid.
    init?(linkText: String)
}

extension LinkParameter where Self: RawRepresentable, RawValue: LinkParameter {
    /// Creates the value from its raw value in `linkText`; `nil` if the text is not valid.
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
