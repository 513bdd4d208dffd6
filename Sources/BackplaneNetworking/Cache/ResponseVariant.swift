internal import HTTPTypes

/// The mark of one of several stored responses of a URL: the request fields that `Vary` names.
///
/// The fields are kept as keyed digests, so that no cookie or key of a request gets into a file.
package struct ResponseVariant: Hashable, Sendable {
    /// The lowercase names in `Vary`, in order.
    package let names: [String]
    /// The digest of the values of these fields.
    package let selection: UInt64
    /// The digest of all fields of the request, for endpoints with an age of their own.
    package let fingerprint: UInt64
    /// The number of bytes in the fields of the request.
    package let size: Int

    package init(names: [String], selection: UInt64, fingerprint: UInt64, size: Int) {
        self.names = names
        self.selection = selection
        self.fingerprint = fingerprint
        self.size = size
    }

    /// Returns the variant of a response, or `nil` if it matches no other request (`Vary: *`).
    init?(of response: HTTPFields, to request: HTTPFields, key: SipKey) {
        guard let names = Self.names(in: response) else { return nil }
        self.names = names
        selection = Self.selection(names, in: request, key)
        fingerprint = Self.fingerprint(of: request, key)
        size = request.size
    }

    /// Whether a request with these fields may get the response (RFC 9111 section 4.1).
    func matches(_ request: HTTPFields, key: SipKey) -> Bool {
        names.isEmpty || Self.selection(names, in: request, key) == selection
    }

    /// Returns the lowercase names in `Vary`, in order, or `nil` if one of them is `*` or the field
    /// is malformed.
    static func names(in response: HTTPFields) -> [String]? {
        guard let value = response[.vary] else { return [] }
        guard let members = FieldList.members(of: value) else { return nil }
        let names = Set(members.map { $0.lowercased() })
        guard names.allSatisfy({ HTTPField.Name($0) != nil && $0 != "*" }) else { return nil }
        return names.sorted()
    }

    private static func selection(_ names: [String], in request: HTTPFields, _ key: SipKey) -> UInt64 {
        var bytes: [UInt8] = []
        // The partition stands for the credentials, so a refreshed token empties nothing.
        for name in names where name != "authorization" {
            bytes.append(framed: name)
            guard let name = HTTPField.Name(name), let value = request[name] else {
                bytes.append(0)
                continue
            }
            bytes.append(1)
            let members = FieldList.members(of: value) ?? [Substring(value)]
            bytes.append(framed: members.joined(separator: ","))
        }
        return key.digest(bytes)
    }

    /// Returns a digest that does not depend on the order of fields with different names.
    static func fingerprint(of request: HTTPFields, _ key: SipKey) -> UInt64 {
        var sum: UInt64 = 0
        for field in request where field.name != .authorization {
            var bytes: [UInt8] = []
            bytes.append(framed: field.name.canonicalName)
            bytes.append(framed: field.value)
            sum &+= key.digest(bytes)
        }
        return sum
    }
}

extension [UInt8] {
    /// Appends a text after its length, so that no two lists of texts have the same bytes.
    fileprivate mutating func append(framed text: String) {
        Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: text.utf8.count).littleEndian) { append(contentsOf: $0) }
        append(contentsOf: text.utf8)
    }
}
