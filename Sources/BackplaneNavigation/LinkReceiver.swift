/// A filter for a link that reaches a window in several ways.
///
/// A system may deliver one link more than once: to the scene, as a user activity and to the app's
/// delegate. The receiver accepts the first delivery. For one second, it refuses the same link from
/// other ways. It accepts the same link from the same way again, because the user may open a link
/// twice.
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
    /// A link that was accepted, and the ways by which it has come.
    private struct Opening {
        let link: String
        let time: Duration
        var ways: Set<String>
    }

    private let now: () -> Duration
    private var accepted: [Opening] = []

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
    ///   - way: the name of the way in which the link came, such as `scene` or `delegate`.
    /// - Returns: `false` if the same link was accepted from another way within the last second,
    ///   and has not come in this way since then.
    public func accepts(_ link: String, by way: String) -> Bool {
        let now = now()
        accepted.removeAll { now - $0.time >= .seconds(1) }
        // A way delivers each opening once, so a second delivery belongs to another opening.
        if let index = accepted.firstIndex(where: { $0.link == link && !$0.ways.contains(way) }) {
            accepted[index].ways.insert(way)
            return false
        }
        accepted.append(Opening(link: link, time: now, ways: [way]))
        return true
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
