#if canImport(UIKit)
    public import BackplaneNavigation
    public import Foundation
    import Observation
    public import UIKit

    /// A view controller that shows a ``BackplaneNavigation/Navigator`` and reports to it what the
    /// user did.
    ///
    /// Make it the root controller of a window, or present it for one flow of an existing app.
    ///
    /// ```swift
    /// window.rootViewController = NavigatorController(navigator) { screen in
    ///     switch screen {
    ///     case .courses: CoursesViewController()
    ///     case .course(let id): CourseViewController(courseId: id)
    ///     }
    /// }
    /// ```
    ///
    /// It shows each stack in a `UINavigationController`, tabs in a `UITabBarController`, layers as
    /// presented controllers, and dialogs as alerts. The `tabBarItem` of the controller of a root is
    /// that of its tab.
    ///
    /// **Isolation.** The navigator must belong to the main actor.
    ///
    /// **Order.** UIKit follows one turn of the main actor after the navigator has changed, and a
    /// report follows one turn after UIKit has finished.
    ///
    /// **Lifetime.** The controller keeps the navigator, and the controller of each place until the
    /// place leaves. A place ends when it leaves the navigator.
    public final class NavigatorController<Screen>: UIViewController {
        private let navigator: Navigator<Screen>
        private let layer: Layer<Screen>
        private let content: (Screen) -> UIViewController
        private var controllers: [Place<Screen>: UIViewController] = [:]
        private var stacks: [(stack: Stack<Screen>, places: [Place<Screen>], controller: UINavigationController)] = []
        private var tabs: UITabBarController?
        private var above: NavigatorController?
        private var alert: (dialog: PresentedDialog, controller: UIAlertController)?
        private var isWaiting = false
        private var followings = 0
        private var onDisappear: () -> Void = {}

        /// Creates a controller that shows a navigator.
        ///
        /// - Parameters:
        ///   - navigator: the navigator to show.
        ///   - content: returns the controller of a screen; called once for each place.
        public convenience init(_ navigator: Navigator<Screen>, content: @escaping (Screen) -> UIViewController) {
            self.init(navigator, navigator.base, content)
        }

        private init(
            _ navigator: Navigator<Screen>,
            _ layer: Layer<Screen>,
            _ content: @escaping (Screen) -> UIViewController
        ) {
            self.navigator = navigator
            self.layer = layer
            self.content = content
            super.init(nibName: nil, bundle: nil)
        }

        /// Not available: the controller needs a navigator.
        @available(*, unavailable) public required init?(coder: NSCoder) { nil }

        /// Shows the current contents, and begins to observe the navigator.
        public override func viewDidLoad() {
            super.viewDidLoad()
            follow()
        }

        /// Reports that the layer is on the screen.
        public override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            layer.appeared()
            settle()
        }

        /// Lets the controller below check whether the layer has left.
        public override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            onDisappear()
        }

        // MARK: Reports

        /// Reports what UIKit shows, and then follows the navigator, one turn later.
        private func settle() {
            Task { [weak self] in
                self?.report()
                self?.follow()
            }
        }

        private func report() {
            guard !isInTransition else { return }
            if let tabs, let selected = stacks.first(where: { $0.controller === tabs.selectedViewController }),
                selected.stack.id != layer.selection
            {
                layer.selection = selected.stack.id
            }
            for (index, entry) in stacks.enumerated() {
                let shown = entry.controller.viewControllers
                let count = entry.places.prefix { controllers[$0].map(shown.contains) ?? false }.count
                guard count > 0, count < entry.places.count else { continue }
                stacks[index].places.removeLast(entry.places.count - count)
                entry.stack.path = Array(stacks[index].places.dropFirst())
            }
            guard let above, above.presentingViewController == nil else { return }
            self.above = nil
            if layer.cover != nil { layer.cover = nil } else { layer.sheet = nil }
            layer.uncovered()
        }

        // MARK: Orders

        private func follow() {
            followings += 1
            let number = followings
            withObservationTracking {
                showStacks()
                showAbove()
                showDialog()
            } onChange: { [weak self] in
                Task { @MainActor in if self?.followings == number { self?.follow() } }
            }
        }

        /// Whether UIKit is in a transition; its end is then waited for.
        private var isInTransition: Bool {
            let controllers = [self, presentedViewController].compactMap(\.self) + stacks.map(\.controller)
            guard let transition = controllers.lazy.compactMap(\.transitionCoordinator).first else { return false }
            guard !isWaiting else { return true }
            isWaiting = true
            transition.animate(alongsideTransition: nil) { [weak self] _ in
                self?.isWaiting = false
                self?.settle()
            }
            return true
        }

        private func showStacks() {
            let wanted = layer.stacks.map { ($0, $0.places) }
            let selection = layer.selection
            guard !isInTransition else { return }
            let kept = Set(wanted.flatMap(\.1))
            controllers = controllers.filter { kept.contains($0.key) }
            stacks = wanted.map { stack, places in
                let old = stacks.first { $0.stack === stack }
                let controller = old?.controller ?? UINavigationController()
                if old?.places != places {
                    controller.setViewControllers(places.map(self.controller(of:)), animated: old != nil)
                }
                if let root = places.first { controller.tabBarItem = self.controller(of: root).tabBarItem }
                return (stack, places, controller)
            }
            arrange(selection)
        }

        /// Puts the stacks into this controller, in tabs if there are several.
        private func arrange(_ selection: Stack<Screen>.ID) {
            let contents = stacks.map(\.controller)
            if contents.count > 1 { tabs = tabs ?? UITabBarController() } else { tabs = nil }
            if let tabs {
                if tabs.viewControllers != contents { tabs.setViewControllers(contents, animated: false) }
                let index = stacks.firstIndex { $0.stack.id == selection } ?? 0
                if tabs.selectedIndex != index { tabs.selectedIndex = index }
            }
            let shown = tabs ?? contents[0]
            guard shown.parent !== self else { return }
            for child in children {
                child.willMove(toParent: nil)
                child.view.removeFromSuperview()
                child.removeFromParent()
            }
            addChild(shown)
            shown.view.frame = view.bounds
            shown.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            view.addSubview(shown.view)
            shown.didMove(toParent: self)
        }

        private func controller(of place: Place<Screen>) -> UIViewController {
            if let controller = controllers[place] { return controller }
            let controller = content(place.screen)
            controllers[place] = controller
            Reporter { [weak self] in
                self?.report()
                self?.follow()
            }
            .attach(to: controller)
            return controller
        }

        private func showAbove() {
            let wanted = layer.cover ?? layer.sheet
            guard wanted !== above?.layer, !isInTransition else { return }
            if above != nil {
                above = nil
                dismiss(animated: true) { [weak self] in
                    self?.layer.uncovered()
                    self?.settle()
                }
            }
            guard let wanted, presentedViewController == nil, viewIfLoaded?.window != nil else { return }
            let controller = NavigatorController(navigator, wanted, content)
            controller.modalPresentationStyle = wanted.style == .cover ? .fullScreen : .pageSheet
            controller.onDisappear = { [weak self] in self?.settle() }
            above = controller
            present(controller, animated: true)
        }

        private func showDialog() {
            let wanted = layer.dialog
            guard wanted !== alert?.dialog, !isInTransition else { return }
            if let alert, alert.controller.presentingViewController != nil { dismiss(animated: true) }
            alert = nil
            guard let wanted, presentedViewController == nil, viewIfLoaded?.window != nil else { return }
            let controller = UIAlertController(title: wanted.title, message: wanted.message, preferredStyle: .alert)
            for button in wanted.buttons {
                let style: UIAlertAction.Style =
                    switch button.role {
                    case .normal: .default
                    case .destructive: .destructive
                    case .cancel: .cancel
                    }
                controller.addAction(UIAlertAction(title: button.label, style: style) { _ in wanted.choose(button.id) })
            }
            alert = (wanted, controller)
            present(controller, animated: true)
        }
    }
#endif
