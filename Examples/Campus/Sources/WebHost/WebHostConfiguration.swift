public import Foundation
public import ServerLimits

/// The address that a ``WebHost`` listens on, and its limits and timeouts.
public struct WebHostConfiguration: Sendable {
    /// The name or address to listen on; the loopback address by default.
    public var host = "127.0.0.1"

    /// The port to listen on; 0 selects a free port.
    public var port = 8080

    /// The URL under which users reach the app, if it differs from the address that the host
    /// listens on.
    ///
    /// With `https`, a proxy in front of the host ends TLS. The host then sends its cookie over TLS
    /// only (`Secure`, `__Host-`), and tells browsers to use TLS for a year (HSTS). The URL has no
    /// path, because every path belongs to the app.
    public var publicURL: URL?

    /// The IP addresses of the proxies in front of the host.
    ///
    /// In a request from one of them, the host takes the client's address from `X-Forwarded-For`.
    /// In any other request it ignores that field, because every client can send one.
    public var trustedProxies: Set<String> = []

    /// How long a window outlives its page's connection, so that it survives a short network
    /// failure but not a closed tab.
    public var windowGrace: Duration = .seconds(30)

    /// How long a session lasts without a page load or an event; an open page alone does not
    /// prolong it.
    public var sessionIdle: Duration = .seconds(30 * 60)

    /// How long a session lasts without a request if the user has done nothing yet and has no page
    /// open.
    public var visitIdle: Duration = .seconds(5 * 60)

    /// How long a page without the script waits for its screen to finish loading.
    public var settleLimit: Duration = .seconds(2)

    /// The maximum size of a form, in bytes.
    public var bodyLimit = 64 * 1024

    /// The maximum number of sessions.
    ///
    /// A further visitor takes the place of an idle one, who has no open page. If there is none,
    /// they get an error page (503).
    public var sessionLimit = 10_000

    /// The maximum number of visitors from one client address; further ones get an error page
    /// (503).
    ///
    /// A visitor is a session that the app has not renewed, because no user has signed in. Of an
    /// IPv6 address, only the first 64 bits count. Users who share an address, for example a
    /// school, share the limit until they have signed in.
    public var visitorLimit = 200

    /// The maximum number of visitors from the network around a client: 24 bits of an IPv4 address,
    /// or 48 bits of an IPv6 address.
    public var visitorNetworkLimit = 1000

    /// The maximum number of windows in a session.
    ///
    /// For a further one, the window without a connected page that is unused for longest ends. If
    /// all pages are connected, the new page is an error page (503).
    public var windowLimit = 64

    /// The maximum number of windows of a visitor, if it is less than ``windowLimit``.
    public var visitorWindowLimit = 8

    /// The limits of connections: time-outs and a maximum number.
    public var connections = ServerLimits()

    /// The clock that measures the durations above, except those of ``connections``.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// A closure that returns the time of day, which decides whether a stored session was idle too
    /// long.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates the default configuration, with the loopback address and port 8080.
    public init() {}

    /// Checks ``publicURL`` and ``trustedProxies``, and brings the addresses into a canonical form.
    ///
    /// A ``WebHost`` does this, too. A command can do it earlier, before it starts anything.
    ///
    /// - Throws: ``WebHostError`` with ``WebHostError/Code/invalidConfiguration``.
    public mutating func validate() throws {
        if let publicURL {
            let isWeb = ["http", "https"].contains(publicURL.scheme?.lowercased())
            guard isWeb, publicURL.host()?.isEmpty == false, ["", "/"].contains(publicURL.path()),
                publicURL.query() == nil
            else {
                throw WebHostError.invalidConfiguration(
                    publicURL.absoluteString,
                    isNot: "a public URL. Write one without a path, such as https://campus.example."
                )
            }
        }
        trustedProxies = Set(
            try trustedProxies.map { proxy in
                guard let address = ClientAddress.normalized(proxy) else {
                    throw WebHostError.invalidConfiguration(
                        proxy,
                        isNot: "the address of a proxy. Write an IP address, such as 127.0.0.1."
                    )
                }
                return address
            }
        )
        connections.proxies = trustedProxies
    }
}

extension WebHostConfiguration {
    /// Whether users reach the app over TLS.
    var isSecure: Bool { publicURL?.scheme?.lowercased() == "https" }
}
