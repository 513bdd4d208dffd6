/// A filter for a link that reaches a window by two ways.
///
/// A system may deliver one link twice: to the scene and to the app's delegate. The receiver
/// accepts the first delivery and refuses the same link by another way within a second. The same
/// link by the same way is always accepted, because the user may open it twice.
///
/// ```swift
/// let links = LinkReceiver()
///
/// func open(_ url: URL, by way: String) {
///     if links.accepts(url.absoluteString, by: way) { motherboard.open(url) }
/// }
/// ```
///
/// **Isolation.** A receiver is not `Sendable`. Use it on the actor of its window.
public final class LinkReceiver {
    private struct Delivery {
        let link: String
        let way: String
        let time: Duration
    }

    private let now: () -> Duration
    private var accepted: [Delivery] = []

    /// Creates a receiver that has accepted no link.
    ///
    /// - Parameter clock: the clock that measures the second.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        now = Self.stopwatch(clock)
    }

    /// Returns whether to open a link.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - way: the name of the way by which it came, such as `scene` or `delegate`.
    /// - Returns: `false` if the same link was accepted by another way within the last second.
    public func accepts(_ link: String, by way: String) -> Bool {
        let now = now()
        accepted.removeAll { now - $0.time >= .seconds(1) }
        // Each delivery is paired with one delivery by another way, so it is forgotten then.
        if let index = accepted.firstIndex(where: { $0.link == link && $0.way != way }) {
            accepted.remove(at: index)
            return false
        }
        accepted.append(Delivery(link: link, way: way, time: now))
        return true
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
