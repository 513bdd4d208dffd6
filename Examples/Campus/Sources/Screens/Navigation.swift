public import Backplane
public import Observation

/// The screens of one window, the root first; the host draws the top one.
///
/// Boards push, present and dismiss; nobody needs to know who else shows what. The navigation owns its screens: one that
/// leaves, in whatever way, is released. A board that is to end with its screen pairs itself with the screen's place in the
/// stack; that is how it hears of a swipe back or a closed dialog, which it did not order. What is to last as long as the
/// window is kept for the navigation itself.
///
/// Not `Sendable`: it lives on the window's actor. Observable: ``stack`` and ``top`` are tracked.
///
/// ```swift
/// board.pair(with: navigation.push(course))
/// navigation.back(to: "/")   // the course leaves, and its board ends
/// ```
@Observable
public final class Navigation: LifetimeOwner {
    /// A screen's place in the stack, which ends when the screen leaves.
    public final class Entry: LifetimeOwner {
        /// The screen.
        public let screen: any Screen

        /// Whether it is a dialog over the screen below rather than a place of its own.
        public let isModal: Bool

        /// Ends when the screen leaves the stack, in whatever way.
        public let lifetime = Lifetime()

        fileprivate init(screen: any Screen, isModal: Bool) {
            self.screen = screen
            self.isModal = isModal
        }
    }

    /// Ends when the window closes.
    public let lifetime = Lifetime()

    /// Everything shown or waiting below it, the root first.
    public private(set) var stack: [Entry] = []

    /// A window that shows nothing yet.
    public init() {}

    /// The screen the person sees, or `nil` before the first.
    public var top: (any Screen)? { stack.last?.screen }

    /// Shows `screen` as the root, in place of everything there was.
    ///
    /// - Returns: the screen's place, to pair a board with.
    @discardableResult
    public func setRoot(_ screen: any Screen) -> Entry {
        let left = stack
        let entry = Entry(screen: screen, isModal: false)
        stack = [entry]
        leave(left)
        return entry
    }

    /// Shows `screen` on top of what is there, as a place one comes back from.
    ///
    /// - Returns: the screen's place, to pair a board with.
    @discardableResult
    public func push(_ screen: any Screen) -> Entry {
        add(Entry(screen: screen, isModal: false))
    }

    /// Shows `screen` as a dialog over what is there.
    ///
    /// - Returns: the screen's place, to pair a board with.
    @discardableResult
    public func present(_ screen: any Screen) -> Entry {
        add(Entry(screen: screen, isModal: true))
    }

    private func add(_ entry: Entry) -> Entry {
        stack.append(entry)
        return entry
    }

    /// Removes `screen`, wherever it is in the stack.
    ///
    /// What is above it stays: it belongs to other boards, which dismiss their own. So a log-in that has let somebody pass
    /// may leave after the screen that it made way for has come.
    ///
    /// - Returns: whether it was there; a screen that has left already changes nothing.
    @discardableResult
    public func dismiss(_ screen: any Screen) -> Bool {
        guard let index = stack.lastIndex(where: { $0.screen === screen }) else { return false }
        leave([stack.remove(at: index)])
        return true
    }

    /// Goes back to the nearest screen of that path, if there is one; a dialog does not count as a place.
    ///
    /// - Returns: whether that screen is on top now.
    @discardableResult
    public func back(to path: String) -> Bool {
        guard let index = stack.lastIndex(where: { !$0.isModal && $0.screen.path == path }) else { return false }
        removeAll(from: index + 1)
        return true
    }

    /// Puts the screens into the order of these paths, the root first, and removes the others; of several screens of one path the
    /// earlier counts first.
    ///
    /// For what shows again what was shown once, and cannot know in which order the screens come. If no screen has any of the paths
    /// nothing changes: something is better than nothing.
    public func arrange(by paths: [String]) {
        var others = stack
        let kept = paths.compactMap { path in
            others.firstIndex { $0.screen.path == path }.map { others.remove(at: $0) }
        }
        guard !kept.isEmpty, !kept.elementsEqual(stack, by: ===) else { return }
        stack = kept
        leave(others)
    }

    /// Removes everything above the root.
    public func returnHome() {
        removeAll(from: 1)
    }

    /// Removes everything, and ends what was kept for the window.
    public func close() {
        removeAll(from: 0)
        lifetime.end()
    }

    private func removeAll(from index: Int) {
        guard index < stack.count else { return }
        let left = Array(stack[index...])
        stack.removeSubrange(index...)
        leave(left)
    }

    /// The uppermost first, as they would leave one by one; by then the stack shows what remains.
    private func leave(_ entries: [Entry]) {
        for entry in entries.reversed() { entry.lifetime.end() }
    }
}
