public import Foundation

/// The address that a ``WebHost`` listens on, and its limits and timeouts.
public struct WebHostConfiguration: Sendable {
    /// The name or address to listen on; the loopback address by default.
    public var host = "127.0.0.1"

    /// The port to listen on; 0 selects a free port.
    public var port = 8080

    /// How long a window outlives its page's connection, so that it survives a short network
    /// failure but not a closed tab.
    public var windowGrace: Duration = .seconds(30)

    /// How long a session lasts without a page load or an event; an open page alone does not
    /// prolong it.
    public var sessionIdle: Duration = .seconds(30 * 60)

    /// How long a page without the script waits for its screen to finish loading.
    public var settleLimit: Duration = .seconds(2)

    /// The maximum size of a form, in bytes.
    public var bodyLimit = 64 * 1024

    /// The maximum number of windows in a session; the one unused for longest ends first.
    public var windowLimit = 64

    /// The clock that measures the durations above.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// A closure that returns the time of day, which decides whether a stored session was idle too
    /// long.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates the default configuration, with the loopback address and port 8080.
    public init() {}
}
