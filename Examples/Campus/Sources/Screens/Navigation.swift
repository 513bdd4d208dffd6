public import Backplane
public import Observation

/// The screens of one window, the root first; the host draws the top one.
///
/// Boards push, present and dismiss screens, and no board needs to know which other boards show
/// screens. The navigation owns its screens: a screen that leaves the stack in any way is released.
///
/// To end with its screen, a board pairs itself with the screen's entry in the stack. The board
/// then also completes after a swipe back or a closed dialog. To keep an object as long as the
/// window, keep it for the navigation itself.
///
/// **Isolation.** It lives on the window's actor, and is not `Sendable`. It is observable:
/// ``stack`` and ``top`` are tracked.
///
/// ```swift
/// board.pair(with: navigation.push(course))
/// navigation.back(to: "/")   // the course leaves, and its board ends
/// ```
@Observable
public final class Navigation: LifetimeOwner {
    /// A screen's place in the stack, which ends when the screen leaves the stack.
    public final class Entry: LifetimeOwner {
        /// The screen.
        public let screen: any Screen

        /// Whether the screen is a dialog over the screen below, and not a separate place.
        public let isModal: Bool

        /// The lifetime that ends when the screen leaves the stack in any way.
        public let lifetime = Lifetime()

        fileprivate init(screen: any Screen, isModal: Bool) {
            self.screen = screen
            self.isModal = isModal
        }
    }

    /// The lifetime that ends when the window closes.
    public let lifetime = Lifetime()

    /// All screens of the window, the root first.
    public private(set) var stack: [Entry] = []

    /// Creates the navigation of a window without screens.
    public init() {}

    /// The screen that the user sees; `nil` before the first screen.
    public var top: (any Screen)? { stack.last?.screen }

    /// Shows `screen` as the root, and removes all other screens.
    ///
    /// - Parameter screen: the new root.
    /// - Returns: the screen's entry, to pair a board with.
    @discardableResult
    public func setRoot(_ screen: any Screen) -> Entry {
        let left = stack
        let entry = Entry(screen: screen, isModal: false)
        stack = [entry]
        leave(left)
        return entry
    }

    /// Shows `screen` on top of the stack, as a place that the user can go back from.
    ///
    /// - Parameter screen: the new top screen.
    /// - Returns: the screen's entry, to pair a board with.
    @discardableResult
    public func push(_ screen: any Screen) -> Entry {
        add(Entry(screen: screen, isModal: false))
    }

    /// Shows `screen` as a dialog over the current screen.
    ///
    /// - Parameter screen: the dialog.
    /// - Returns: the screen's entry, to pair a board with.
    @discardableResult
    public func present(_ screen: any Screen) -> Entry {
        add(Entry(screen: screen, isModal: true))
    }

    private func add(_ entry: Entry) -> Entry {
        stack.append(entry)
        return entry
    }

    /// Removes `screen`, at any position in the stack.
    ///
    /// The screens above it stay, because they belong to other boards, which dismiss them. For
    /// example, a log-in form can close after the next screen is already on top of it.
    ///
    /// - Parameter screen: the screen to remove.
    /// - Returns: whether the screen was in the stack; otherwise nothing changes.
    @discardableResult
    public func dismiss(_ screen: any Screen) -> Bool {
        guard let index = stack.lastIndex(where: { $0.screen === screen }) else { return false }
        leave([stack.remove(at: index)])
        return true
    }

    /// Goes back to the nearest screen with this path, if there is one; dialogs do not count.
    ///
    /// - Parameter path: the path of the screen.
    /// - Returns: whether that screen is on top now.
    @discardableResult
    public func back(to path: String) -> Bool {
        guard let index = stack.lastIndex(where: { !$0.isModal && $0.screen.path == path }) else { return false }
        removeAll(from: index + 1)
        return true
    }

    /// Sorts the screens in the order of these paths, the root first, and removes all other
    /// screens.
    ///
    /// If several screens have the same path, the lowest in the stack is taken first. If no screen
    /// has any of the paths, nothing changes, so that the window does not become empty.
    ///
    /// Use this method after a restoration, because the restored screens can appear in any order.
    public func arrange(by paths: [String]) {
        var others = stack
        let kept = paths.compactMap { path in
            others.firstIndex { $0.screen.path == path }.map { others.remove(at: $0) }
        }
        guard !kept.isEmpty, !kept.elementsEqual(stack, by: ===) else { return }
        stack = kept
        leave(others)
    }

    /// Removes all screens above the root.
    public func returnHome() {
        removeAll(from: 1)
    }

    /// Removes all screens, and ends the objects that are kept for the window.
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

    /// Ends the entries from the top down; the stack contains only the remaining screens already.
    private func leave(_ entries: [Entry]) {
        for entry in entries.reversed() { entry.lifetime.end() }
    }
}
