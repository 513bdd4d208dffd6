public import Observation

/// The screens of one window, the root first; the host draws the top one.
///
/// Boards push, present and dismiss; nobody needs to know who else shows what. The navigation owns its screens: one that
/// leaves, in whatever way, is released, after the `onLeave` that it was shown with has been called once. That is how a
/// board hears of a swipe back or a closed dialog, which it did not order.
///
/// Not `Sendable`: it lives on the window's actor. Observable: ``stack`` and ``top`` are tracked.
///
/// ```swift
/// navigation.setRoot(dashboard)
/// navigation.push(course, onLeave: { board.end() })
/// navigation.back(to: "/")   // the course leaves, and its board ends
/// ```
@Observable
public final class Navigation {
    /// A screen in the stack and how it is shown.
    public struct Entry {
        /// The screen.
        public let screen: any Screen

        /// Whether it is a dialog over the screen below rather than a place of its own.
        public let isModal: Bool

        fileprivate let onLeave: (() -> Void)?
    }

    /// Everything shown or waiting below it, the root first.
    public private(set) var stack: [Entry] = []

    /// A window that shows nothing yet.
    public init() {}

    /// The screen the person sees, or `nil` before the first.
    public var top: (any Screen)? { stack.last?.screen }

    /// Shows `screen` as the root, in place of everything there was.
    ///
    /// - Parameters:
    ///   - screen: what to show.
    ///   - onLeave: called once when the screen leaves the stack, on the window's actor.
    public func setRoot(_ screen: any Screen, onLeave: (() -> Void)? = nil) {
        let left = stack
        stack = [Entry(screen: screen, isModal: false, onLeave: onLeave)]
        leave(left)
    }

    /// Shows `screen` on top of what is there, as a place one comes back from.
    ///
    /// - Parameters:
    ///   - screen: what to show.
    ///   - onLeave: called once when the screen leaves the stack, on the window's actor.
    public func push(_ screen: any Screen, onLeave: (() -> Void)? = nil) {
        stack.append(Entry(screen: screen, isModal: false, onLeave: onLeave))
    }

    /// Shows `screen` as a dialog over what is there.
    ///
    /// - Parameters:
    ///   - screen: what to show.
    ///   - onLeave: called once when the screen leaves the stack, on the window's actor.
    public func present(_ screen: any Screen, onLeave: (() -> Void)? = nil) {
        stack.append(Entry(screen: screen, isModal: true, onLeave: onLeave))
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

    /// Removes everything above the root.
    public func returnHome() {
        removeAll(from: 1)
    }

    /// Removes everything: the window closes.
    public func removeAll() {
        removeAll(from: 0)
    }

    private func removeAll(from index: Int) {
        guard index < stack.count else { return }
        let left = Array(stack[index...])
        stack.removeSubrange(index...)
        leave(left)
    }

    /// The uppermost is told first, as they would leave one by one; by then the stack shows what remains.
    private func leave(_ entries: [Entry]) {
        for entry in entries.reversed() { entry.onLeave?() }
    }
}
