package import HTTPTypes

extension HTTPRequest.Method {
    /// Whether the method only reads (RFC 9110 section 9.2.1).
    package var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }

    /// Whether sending a request twice has the same effect as sending it once (RFC 9110 section
    /// 9.2.2).
    var isIdempotent: Bool { isSafe || [.put, .delete].contains(self) }
}

extension HTTPRequest {
    /// The path without its query: the only part of the URL that errors and logs may show.
    var pathWithoutQuery: String { String((path ?? "").prefix { $0 != "?" }) }

    /// Whether the request has an idempotency key; an empty key is none (N33).
    var hasIdempotencyKey: Bool { headerFields[.idempotencyKey]?.isEmpty == false }
}

extension HTTPField.Name {
    /// The field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    package static let idempotencyKey = constant("Idempotency-Key")

    /// The field `Host`, which requests have only if the app sets it.
    static let hostOfApp = constant("Host")

    private static func constant(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("The name of a constant header field is valid.")
        }
        return name
    }
}
