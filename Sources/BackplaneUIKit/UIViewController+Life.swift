#if canImport(UIKit) && !os(watchOS)
    public import Backplane
    import Foundation
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
        /// **Order.** The life ends one turn of the main actor after the controllers on the screen
        /// have changed.
        ///
        /// **Lifetime.** The life begins when the controller is first in a window's controllers. It
        /// also ends when the controller is released. A controller that returns after its end has a
        /// new life.
        ///
        /// This adds an invisible child to the controller, and loads its view. UIKit manages the
        /// children of a navigation or tab bar controller, so the life of these is that of their
        /// first content controller.
        public var life: some LifetimeOwner {
            let first = (self as? UINavigationController)?.viewControllers.first
            let host = first ?? (self as? UITabBarController)?.viewControllers?.first
            return host.map(Life.of) ?? Life.of(self)
        }
    }

    /// The invisible child that notices when its controller may have left.
    final class Life: Reporter, LifetimeOwner {
        private static var all: [() -> Life?] = []

        let lifetime = Lifetime()
        private weak var window: UIWindow?
        private var wasMember = false
        private var isOver = false

        static func of(_ controller: UIViewController) -> Life {
            let lives = controller.children.compactMap { $0 as? Life }
            if let life = lives.first(where: { !$0.isOver }) { return life }
            let life = Life()
            all.append { [weak life] in life }
            life.attach(to: controller, onChange: judgeAll)
            return life
        }

        override func viewDidAppear(_ animated: Bool) {
            window = view.window ?? window
            super.viewDidAppear(animated)
        }

        /// Judges all, because a controller that was covered when it left has not noticed.
        private static func judgeAll() {
            all.removeAll { $0()?.isOver ?? true }
            for life in all { life()?.judge() }
        }

        private func judge() {
            // During a pop by gesture, a controller is out of its stack but may return.
            guard parent?.transitionCoordinator?.isInteractive != true else { return }
            isOver = wasMember && !isMember
            wasMember = isMember
            if isOver { lifetime.end(isolation: MainActor.shared) }
        }

        /// Whether the way up from the controller, by parents and presenters, leads to a window.
        private var isMember: Bool {
            var controller: UIViewController = self
            while let next = controller.parent ?? controller.presentingViewController { controller = next }
            let window = window ?? controller.viewIfLoaded?.window
            return controller !== self && window?.rootViewController === controller
        }
    }

    /// An invisible child that reports, one turn later, that its controller has appeared or
    /// disappeared.
    ///
    /// A turn later, UIKit has finished the change. No delegate is needed, so an app can keep its
    /// own.
    class Reporter: UIViewController {
        private var onChange: () -> Void = {}

        func attach(to controller: UIViewController, onChange: @escaping () -> Void) {
            self.onChange = onChange
            view.isHidden = true
            controller.addChild(self)
            controller.view.addSubview(view)
            didMove(toParent: controller)
        }

        override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            Task { [onChange] in onChange() }
        }

        override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            Task { [onChange] in onChange() }
        }
    }
#endif
