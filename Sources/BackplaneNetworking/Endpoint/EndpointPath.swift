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
/// fails with ``NetworkError/Code/invalidEndpoint`` before anything is sent. A leading slash makes no difference.
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
        self.init(encoded: value.percentEncoded(keeping: .pathLiteral))
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
