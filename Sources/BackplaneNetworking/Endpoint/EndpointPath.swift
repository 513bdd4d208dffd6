public import Foundation

/// A path below the base URL, written as a string; only the slashes in your own text separate
/// segments.
///
/// Each interpolated value becomes exactly one segment. All of its characters with a meaning in a
/// URL, such as slashes and question marks, are percent-encoded (RFC 3986 section 2.1). An ID from
/// outside therefore cannot lead to another resource.
///
/// ```swift
/// let id = "a/b?c"
/// let path: EndpointPath = "courses/\(id)/todos"     // courses/a%2Fb%3Fc/todos
/// ```
///
/// Some values are refused: an empty value, `.` and `..`. Encoding does not protect them, because
/// the server would see another path. A request with such a value fails with
/// ``NetworkError/Code/invalidEndpoint`` before it is sent. The same happens if you write a `.` or
/// `..` segment, a `?` or a `#` yourself. Pass the query as a separate parameter. A leading slash
/// makes no difference. An interpolated value stays one segment on every server that splits the
/// path before it decodes it (RFC 3986 section 2.4).
public struct EndpointPath: Hashable, Sendable {
    /// The path as it is sent, percent-encoded and without a leading slash.
    package let encoded: String

    /// The reason why the path is not valid, or `nil` if it is valid.
    let problem: String?

    init(encoded: String, problem: String? = nil) {
        self.init(sent: String(encoded.trimmingPrefix("/")), problem: problem)
    }

    /// Creates a path from one that was already prepared for sending, in which a leading slash
    /// counts.
    init(sent encoded: String, problem: String? = nil) {
        self.encoded = encoded
        let hasDotSegment = encoded.split(separator: "/").contains { $0 == "." || $0 == ".." }
        self.problem = problem ?? (hasDotSegment ? "one segment of the path is '.' or '..'" : nil)
    }
}

extension EndpointPath: ExpressibleByStringInterpolation {
    /// Creates the path that `value` spells.
    public init(stringLiteral value: String) {
        var interpolation = StringInterpolation(literalCapacity: value.utf8.count, interpolationCount: 0)
        interpolation.appendLiteral(value)
        self.init(stringInterpolation: interpolation)
    }

    /// Creates the path from an interpolated string.
    public init(stringInterpolation: StringInterpolation) {
        self.init(encoded: stringInterpolation.encoded, problem: stringInterpolation.problem)
    }

    /// The storage of an interpolated path while it is built.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var encoded = ""
        fileprivate var problem: String?

        /// Creates an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {
            encoded.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Adds text in which slashes separate segments.
        public mutating func appendLiteral(_ literal: String) {
            if literal.contains(where: { "?#".contains($0) }) {
                problem =
                    "the path contains '?' or '#' (pass the query as a separate parameter)"
            }
            encoded += literal.percentEncoded(keeping: .pathLiteral)
        }

        /// Adds a string or number as one segment.
        public mutating func appendInterpolation(_ part: some LosslessStringConvertible) {
            append(String(part))
        }

        /// Adds the raw value of an ID as one segment.
        public mutating func appendInterpolation<Part: RawRepresentable>(_ part: Part)
        where Part.RawValue: LosslessStringConvertible {
            append(String(part.rawValue))
        }

        /// Adds a UUID as one segment.
        public mutating func appendInterpolation(_ part: UUID) {
            append(part.uuidString)
        }

        private mutating func append(_ part: String) {
            if part.isEmpty { problem = "one of the values in the path is empty" }
            encoded += part.percentEncoded(keeping: .unreserved)
        }
    }
}
