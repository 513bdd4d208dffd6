#if canImport(UIKit) && !os(watchOS)
    public import Backplane
    public import UIKit

    extension UIViewController {
        /// The life of this controller, which ends when the controller has left for good.
        ///
        /// Any controller has one; it needs no subclass. Pair a board with it:
        ///
        /// ```swift
        /// final class SomeBoard: Board {
        ///     let slot: Slot<SomeScreen>
        ///     private let navigation: UINavigationController
        ///
        ///     func activate(with input: String) {
        ///         let controller = SomeViewController(input)
        ///         navigation.pushViewController(controller, animated: true)
        ///         pair(with: controller.life)
        ///     }
        /// }
        /// ```
        ///
        /// The life ends when the controller, or any controller around it, is popped, dismissed or
        /// taken away. A controller that is only covered, or in a tab that is not selected, stays
        /// alive.
        ///
        /// **Isolation.** Use it on the main actor; the life ends there.
        ///
        /// **Order.** After the controllers on the screen have changed, the life ends before the
        /// main run loop sleeps. It does not end during a transition, because the user may cancel a
        /// pop.
        ///
        /// **Lifetime.** The life begins when the controller first becomes a part of a window. It
        /// also ends when the controller is released. A controller that returns after its end has a
        /// new life.
        ///
        /// The controller may be of any kind, also a navigation or hosting controller. Nothing is
        /// added to it, and its view is not loaded. A column of a split view controller stays alive
        /// while a narrow window does not show it. A page of a page view controller leaves when
        /// another page takes its place.
        public var life: some LifetimeOwner { Life.of(self) }
    }

    /// The membership of a controller in the controllers of a window.
    @MainActor final class Life: LifetimeOwner {
        private static var all: [Life] = []
        private static let judge: Void = MainLoop.beforeSleep {
            let over = all.filter(\.isOver)
            guard !over.isEmpty else { return true }
            // Removed first, because a board that ends may ask for a new life.
            all.removeAll { life in over.contains { $0 === life } }
            for life in over { life.lifetime.end(isolation: MainActor.shared) }
            return true
        }

        let lifetime = Lifetime()
        private weak var controller: UIViewController?
        private weak var root: UIViewController?
        private weak var split: UISplitViewController?
        private var wasMember = false

        private init(_ controller: UIViewController) {
            self.controller = controller
        }

        static func of(_ controller: UIViewController) -> Life {
            _ = judge
            if let life = all.first(where: { $0.controller === controller }) { return life }
            let life = Life(controller)
            all.append(life)
            return life
        }

        private var isOver: Bool {
            guard let controller else { return true }
            if let split = controller.splitViewController { self.split = split }
            guard let current = controller.rootInWindow ?? split?.root(ofColumnAround: controller) else {
                // During a pop by gesture, a controller is out of its stack but may return.
                return wasMember && root?.layers.contains(where: \.isMoving) != true
            }
            root = current
            wasMember = true
            return false
        }
    }

    extension UISplitViewController {
        /// The window's root, if the controller is in a column, although perhaps no child: a narrow
        /// window shows one column only.
        fileprivate func root(ofColumnAround controller: UIViewController) -> UIViewController? {
            guard style != .unspecified else { return nil }
            let columns = [Column.primary, .supplementary, .secondary, .compact].map(viewController(for:))
            return sequence(first: controller, next: \.parent).contains { columns.contains($0) } ? rootInWindow : nil
        }
    }

    extension UIViewController {
        /// The window's root to which the way leads, by parents and presenters; `nil` if it leads
        /// nowhere.
        fileprivate var rootInWindow: UIViewController? {
            var root = self
            while let next = root.parent ?? root.presentingViewController { root = next }
            // A cover takes the views below it out of the window.
            return root.layers.contains { $0.viewIfLoaded?.window?.rootViewController === root } ? root : nil
        }

        /// The controller, and those presented above it.
        var layers: some Sequence<UIViewController> {
            sequence(first: self, next: \.presentedViewController)
        }

        /// Whether a transition runs in the controller.
        var isMoving: Bool { transitionCoordinator != nil || children.contains(where: \.isMoving) }
    }
#endif
