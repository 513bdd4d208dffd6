internal import Foundation
internal import HTTPTypes

/// The part of a request's URL that the controller adds: scheme, authority and start of the path.
struct BaseURL: Sendable {
    let scheme: String
    let authority: String
    /// The percent-encoded path: empty, or with a leading slash and without a trailing slash.
    let path: String

    /// Creates a base URL from `url`.
    ///
    /// - Throws: `NetworkError` if `url` is not https although it must be, or has parts that a base
    ///   URL must not have.
    init(_ url: URL, allowsInsecureHTTP: Bool) throws {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = components.scheme?.lowercased(), let host = components.encodedHost, !host.isEmpty
        else { throw NetworkError.invalidBaseURL("it has no scheme or no host") }
        guard components.user == nil, components.password == nil else {
            throw NetworkError.invalidBaseURL("it contains a user or a password")
        }
        guard components.percentEncodedQuery == nil, components.percentEncodedFragment == nil else {
            throw NetworkError.invalidBaseURL("it contains a query or a fragment")
        }
        if let port = components.port, !(1...65_535).contains(port) {
            throw NetworkError.invalidBaseURL("its port is not between 1 and 65535")
        }
        switch scheme {
        case "https": break
        case "http" where allowsInsecureHTTP || Self.isLoopback(host): break
        case "http": throw NetworkError.insecureBaseURL(host: host)
        default: throw NetworkError.invalidBaseURL("its scheme is neither https nor http")
        }
        self.scheme = scheme
        authority = components.port.map { "\(host):\($0)" } ?? host
        path = String(components.percentEncodedPath.reversed().drop { $0 == "/" }.reversed())
    }

    /// Returns the path and query of `request` on this server.
    func target(of request: EndpointRequest) -> String {
        let query = request.query.encoded
        return path(of: request) + (query.isEmpty ? "" : "?\(query)")
    }

    func path(of request: EndpointRequest) -> String {
        "\(path)/\(request.path.encoded)"
    }

    /// Returns whether `request` goes to this server.
    ///
    /// A path without a leading slash would continue the authority. With `@example.com/` the
    /// request would go to another host. A server may choose one of its hosts by the `Host` field.
    func isOrigin(of request: HTTPRequest) -> Bool {
        request.scheme == scheme && request.authority == authority && request.path?.hasPrefix("/") == true
            && request.headerFields[.hostOfApp] ?? authority == authority
    }

    /// Returns whether `host` is this machine by definition.
    ///
    /// These hosts are 127.0.0.0/8, ::1 (RFC 5735, RFC 4291) and localhost (RFC 6761). A name that
    /// only begins like an address (`127.0.0.1.example.com`) is not this machine.
    private static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
        // Systems read a number that begins with zero as octal: 0127.0.0.1 is 87.0.0.1.
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { "\(UInt8($0) ?? 0)" == $0 }
    }
}
