import Backplane
import BackplaneNavigation
import Screens

/// The limits of what a window keeps while its user goes from page to page.
///
/// A visitor can open pages without end, and the host keeps and stores everything that a window can
/// go back to.
///
/// **Isolation.** It belongs to its window, and is not `Sendable`.
final class WindowHistory {
    /// The largest number of screens in a stack.
    static let screenLimit = 32
    /// The largest number of bytes in the paths of all screens.
    static let pathLimit = 4 * 1024
    /// The largest number of links that wait at gates.
    static let waitingLimit = 4

    private var waiting: [OpenedLink] = []

    /// Notes a link, and gives up the oldest one that waits if there are too many.
    func note(_ link: OpenedLink) {
        waiting.removeAll { $0.result != .waiting }
        guard link.result == .waiting else { return }
        waiting.append(link)
        if waiting.count > Self.waitingLimit { waiting.removeFirst().complete(.cancelled) }
    }

    /// Closes the oldest screens that are over the limits, except the roots and the one on top.
    func prune(_ navigator: ScreenNavigator) {
        for stack in navigator.layers.flatMap(\.stacks) {
            let inner = stack.places.dropFirst().dropLast()
            for place in inner.prefix(max(0, stack.places.count - Self.screenLimit)) { place.dismiss() }
        }
        let places = navigator.layers.flatMap(\.stacks).flatMap { $0.places.dropFirst() }.dropLast()
        var bytes = places.reduce(0) { $0 + $1.screen.path.utf8.count }
        for place in places where bytes > Self.pathLimit {
            bytes -= place.screen.path.utf8.count
            place.dismiss()
        }
    }
}
