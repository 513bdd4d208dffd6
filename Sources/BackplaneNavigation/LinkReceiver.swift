/// A filter for a link that reaches a window by several ways.
///
/// A system may deliver one link more than once: to the scene, as a user activity and to the app's
/// delegate. The receiver accepts the first delivery and refuses the same link by other ways within
/// a second. The same link by the same way is accepted again, because the user may open it twice.
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
    ///   - way: the name of the way by which it came, such as `scene` or `delegate`.
    /// - Returns: `false` if the same link was accepted within the last second and has not come by
    ///   this way since.
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
