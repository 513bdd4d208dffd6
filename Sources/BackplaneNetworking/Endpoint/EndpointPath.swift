public import Foundation

/// A path below a base URL, written as a string in which only the slashes you write separate parts.
///
/// Whatever is interpolated becomes exactly one part: its slashes, question marks and everything else with a meaning in a
/// URL are percent-encoded (RFC 3986 section 2.1), so an identity from outside cannot lead to another resource.
///
/// ```swift
/// let id = "a/b?c"
/// let path: EndpointPath = "courses/\(id)/todos"     // courses/a%2Fb%3Fc/todos
/// ```
///
/// No encoding helps against a part that is empty, `.` or `..`: the server would see another path. A request with one
/// fails with ``NetworkError/Code/invalidEndpoint`` before anything is sent, and so does one with a `?` or `#` that is
/// written, not interpolated: the query is a parameter of its own. A leading slash makes no difference. What is interpolated
/// stays one part for every server that splits the path before it decodes it, as RFC 3986 section 2.4 has it.
public struct EndpointPath: Hashable, Sendable {
    /// The path as it is sent, percent-encoded and without a leading slash.
    public let encoded: String

    /// Why the path cannot be used, if it cannot.
    let problem: String?

    private init(encoded: String, problem: String? = nil) {
        self.encoded = String(encoded.trimmingPrefix("/"))
        let hasDotSegment = encoded.split(separator: "/").contains { $0 == "." || $0 == ".." }
        self.problem = problem ?? (hasDotSegment ? "one of the parts of its path is '.' or '..'" : nil)
    }
}

extension EndpointPath: ExpressibleByStringInterpolation {
    /// The path written as `value`.
    public init(stringLiteral value: String) {
        var interpolation = StringInterpolation(literalCapacity: value.utf8.count, interpolationCount: 0)
        interpolation.appendLiteral(value)
        self.init(stringInterpolation: interpolation)
    }

    /// The path put together in `stringInterpolation`.
    public init(stringInterpolation: StringInterpolation) {
        self.init(encoded: stringInterpolation.encoded, problem: stringInterpolation.problem)
    }

    /// What an interpolated path is put together in.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var encoded = ""
        fileprivate var problem: String?

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) {
            encoded.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Adds text whose slashes separate parts.
        public mutating func appendLiteral(_ literal: String) {
            if literal.contains(where: { "?#".contains($0) }) {
                problem =
                    "its path has a '?' or '#', which begin other parts of a URL (a query has a parameter of its own)"
            }
            encoded += literal.percentEncoded(keeping: .pathLiteral)
        }

        /// Adds a string or number as one part.
        public mutating func appendInterpolation(_ part: some LosslessStringConvertible) {
            append(String(part))
        }

        /// Adds an identity as one part, by its raw value.
        public mutating func appendInterpolation<Part: RawRepresentable>(_ part: Part)
        where Part.RawValue: LosslessStringConvertible {
            append(String(part.rawValue))
        }

        /// Adds a UUID as one part.
        public mutating func appendInterpolation(_ part: UUID) {
            append(part.uuidString)
        }

        private mutating func append(_ part: String) {
            if part.isEmpty { problem = "one of the values in its path is empty" }
            encoded += part.percentEncoded(keeping: .unreserved)
        }
    }
}
