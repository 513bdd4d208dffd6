package import Foundation
package import HTTPTypes

/// A response as a cache keeps it.
package struct StoredResponse: Sendable {
    package let status: HTTPResponse.Status
    package let fields: HTTPFields
    package let body: Data
    /// The time of the request, in seconds since 1970.
    package let requestedAt: Double
    /// The time when the response arrived, in seconds since 1970.
    package let receivedAt: Double
    /// The request fields that the response varies by.
    package let variant: ResponseVariant
    let freshness: Freshness

    /// Creates a response, and reads its directives and dates once.
    package init(
        status: HTTPResponse.Status,
        fields: HTTPFields,
        body: Data,
        requestedAt: Double,
        receivedAt: Double,
        variant: ResponseVariant,
        isHeuristic: Bool
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.requestedAt = requestedAt
        self.receivedAt = receivedAt
        self.variant = variant
        freshness = Freshness(
            of: fields,
            status: status.code,
            requestedAt: requestedAt,
            receivedAt: receivedAt,
            isHeuristic: isHeuristic
        )
    }

    /// The approximate size in bytes, without the URL.
    package var size: Int { body.count + fields.size + variant.size }

    /// Whether the response has a validator, which a server can compare (RFC 9110 section 8.8).
    var canBeValidated: Bool { fields[.eTag] != nil || fields[.lastModified] != nil }

    /// The response for a request, with its age in seconds (RFC 9111 section 4).
    func head(age: Double) -> HTTPResponse {
        var fields = fields
        fields[.age] = String(Int(min(age, CacheDirectives.longest)))
        return HTTPResponse(status: status, headerFields: fields)
    }
}

extension HTTPFields {
    /// The number of bytes in names and values.
    var size: Int { reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count } }
}
