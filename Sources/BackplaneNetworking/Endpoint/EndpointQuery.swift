/// The query of a request: names and values in the written order, all percent-encoded.
///
/// A value is a string, a number or a Boolean. A `nil` value leaves out its name, so optional
/// parameters need no `if`. A name may occur more than once. An empty query is `[:]`.
///
/// ```swift
/// .get("courses", query: ["search": text, "page": page, "archived": false])
/// ```
public struct EndpointQuery: Hashable, Sendable {
    /// The query as it is sent, percent-encoded and without the question mark.
    package private(set) var encoded = ""

    init(encoded: String) {
        self.encoded = encoded
    }

    /// Adds a name and its value.
    public mutating func append(_ name: String, _ value: some LosslessStringConvertible) {
        if !encoded.isEmpty { encoded += "&" }
        encoded += "\(name.percentEncoded(keeping: .unreserved))=\(String(value).percentEncoded(keeping: .unreserved))"
    }
}

extension EndpointQuery: ExpressibleByDictionaryLiteral {
    /// Creates a query with these names and values, without the names whose value is `nil`.
    public init(dictionaryLiteral elements: (String, (any LosslessStringConvertible)?)...) {
        for case (let name, let value?) in elements {
            append(name, value)
        }
    }
}
