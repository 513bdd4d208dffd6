public import Foundation

/// Where a ``WebHost`` listens and how long it keeps what nobody uses.
public struct WebHostConfiguration: Sendable {
    /// The name or address to listen on; the loopback address unless said otherwise.
    public var host = "127.0.0.1"

    /// The port to listen on; 0 takes any free one.
    public var port = 8080

    /// How long a window outlives its page's connection: a reload of the network is forgiven, a closed tab is not.
    public var windowGrace: Duration = .seconds(30)

    /// How long a session lasts without a page or an event asked for; an open page alone does not prolong it.
    public var sessionIdle: Duration = .seconds(30 * 60)

    /// How long a page without script waits for its screen to finish loading.
    public var settleLimit: Duration = .seconds(2)

    /// The largest form accepted, in bytes.
    public var bodyLimit = 64 * 1024

    /// How many windows a session has at most; the one unused for longest ends first.
    public var windowLimit = 64

    /// The clock that the durations above are measured on.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Tells the time of day, by which stored sessions are known to have been idle too long.
    public var now: @Sendable () -> Date = { Date() }

    /// The defaults: the loopback address, port 8080.
    public init() {}
}
