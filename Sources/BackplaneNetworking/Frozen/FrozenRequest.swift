internal import BackplaneConcurrency
package import Foundation
internal import HTTPTypes

/// A request as it is written to a file: its bytes, without a server and without credentials (D2).
///
/// Every attempt sends the same bytes, also after a new version of the app has started. Of the
/// decisions of an endpoint about its responses, only the rule about refused tokens is part of it.
///
/// The bytes have the form of a message of HTTP: a line with the method and the target, a line for
/// each field, and after an empty line the body.
package struct FrozenRequest: Hashable, Sendable {
    /// The name of the line with the time limit, which cannot be the name of a field.
    private static let timeoutName = ":timeout"
    /// The name of the line with the rule about refused tokens, if it is not the default one.
    private static let authenticationName = ":authentication"

    private let method: String
    private var path: String
    private var query: String
    /// The fields, with the media type of the body.
    private let lines: [String]
    private var body: Data?

    /// Writes down the request of an endpoint.
    ///
    /// - Throws: ``NetworkError`` if the request cannot be sent.
    package init<Access, Response>(_ endpoint: IdempotentEndpoint<Access, Response>, encoder: JSONEncoder) throws {
        let (request, rule) = (endpoint.endpoint.request, endpoint.endpoint.handling.authentication)
        if let problem = request.path.problem { throw NetworkError.invalidEndpoint(problem) }
        method = request.method.rawValue
        path = request.path.encoded
        query = request.query.encoded
        // Each attempt has its own key and credentials.
        var lines: [String] = []
        for field in request.fields where field.name != .idempotencyKey && field.name != .authorization {
            lines.append(field.name.rawName + ": " + field.value)
        }
        // A larger one has no end, and does not fit into milliseconds.
        if let timeout = request.timeout.map({ min($0, .seconds(100 * 365 * 86_400)).components }) {
            lines.append("\(Self.timeoutName): \(timeout.seconds * 1000 + timeout.attoseconds / 1_000_000_000_000_000)")
        }
        if rule != .standard { lines.append("\(Self.authenticationName): \(rule.text)") }
        self.lines = lines
        body = try request.encodedBody(by: encoder)
    }

    /// Reads a request, or returns `nil` if the bytes have another form.
    package init?(_ data: Data) {
        let end = data.emptyLine
        guard let head = String(data: data[..<(end ?? data.endIndex)], encoding: .utf8) else { return nil }
        let lines = head.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let parts = lines[0].split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, HTTPRequest.Method(rawValue: String(parts[0])) != nil else { return nil }
        let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = String(parts[0])
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : ""
        self.lines = Array(lines.dropFirst())
        body = end.map { Data(data[($0 + 2)...]) }
    }

    /// The bytes to write.
    package var data: Data {
        // Not by interpolation, which takes several times as long.
        var head = method + " " + target
        for line in lines { head += "\n" + line }
        guard let body else { return Data(head.utf8) }
        return Data((head + "\n\n").utf8) + body
    }

    /// The path and the query, percent-encoded.
    package var target: String { query.isEmpty ? path : "\(path)?\(query)" }

    /// Returns the request with another ID in the path, the query and the body, encoded as each of
    /// them needs it.
    ///
    /// - Precondition: The request was never sent.
    package func replacing(_ old: String, with new: String) -> FrozenRequest {
        let encoded = (old: old.percentEncoded(keeping: .unreserved), new: new.percentEncoded(keeping: .unreserved))
        var copy = self
        copy.path = path.replacing(encoded.old, with: encoded.new)
        copy.query = query.replacing(encoded.old, with: encoded.new)
        guard let text = body.flatMap({ String(data: $0, encoding: .utf8) }) else { return copy }
        let type = lines.first { $0.lowercased().hasPrefix("content-type:") }?.lowercased() ?? ""
        if type.contains("json") {
            copy.body = Data(text.replacing(old.escapedForJSON, with: new.escapedForJSON).utf8)
        } else if type.contains("x-www-form-urlencoded") {
            copy.body = Data(text.replacing(encoded.old, with: encoded.new).utf8)
        } else {
            copy.body = Data(text.replacing(old, with: new).utf8)
        }
        return copy
    }

    /// Whether the request deletes something, so that it has succeeded if nothing is there.
    package var isDeletion: Bool { method == HTTPRequest.Method.delete.rawValue }

    /// Returns an endpoint for one delivery, whose response is the server's own.
    func endpoint(key: String, entityTag: String?) -> AuthenticatedEndpoint<ServerReply> {
        var (fields, timeout) = (HTTPFields(), nil as Duration?)
        var rule = AuthenticationRule.standard
        for line in lines {
            guard let colon = line.dropFirst().firstIndex(of: ":") else { continue }
            let value = String(line[line.index(after: colon)...].drop { $0 == " " })
            if line[..<colon] == Self.timeoutName {
                timeout = Int64(value).map { .milliseconds($0) }
            } else if line[..<colon] == Self.authenticationName {
                rule = AuthenticationRule(text: value)
            } else if let name = HTTPField.Name(String(line[..<colon])) {
                fields.append(HTTPField(name: name, value: value))
            }
        }
        fields[.idempotencyKey] = key
        fields[.ifMatch] = entityTag?.strongEntityTag ?? fields[.ifMatch]
        let request = EndpointRequest(
            method: HTTPRequest.Method(rawValue: method) ?? .post,
            path: EndpointPath(sent: path),
            query: EndpointQuery(encoded: query),
            headers: fields,
            body: body.map { EndpointBody.data($0) },
            timeout: timeout
        )
        var endpoint = AuthenticatedEndpoint<ServerReply>(request) { response, body, _ in
            ServerReply(response: response, body: body)
        }
        endpoint.handling.authentication = rule
        return endpoint
    }
}

extension Data {
    /// The index of the first of two line feeds.
    fileprivate var emptyLine: Index? {
        withUnsafeBytes { bytes in
            let lineFeed = UInt8(ascii: "\n")
            return bytes.indices.dropLast().first { bytes[$0] == lineFeed && bytes[$0 + 1] == lineFeed }
        }.map { startIndex + $0 }
    }
}

extension String {
    /// The text as it stands between the quotation marks of a JSON string.
    package var escapedForJSON: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let json = try? encoder.encode(self) else { return self }
        return String(decoding: json.dropFirst().dropLast(), as: UTF8.self)
    }
}
