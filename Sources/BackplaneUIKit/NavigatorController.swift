#if canImport(UIKit)
    public import BackplaneNavigation
    public import Foundation
    import Observation
    public import UIKit

    /// A view controller that shows a `Navigator` and reports to it what the
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
    /// presented controllers, and dialogs as alerts. A tab has the `tabBarItem` of its root's
    /// controller.
    ///
    /// **Isolation.** The navigator must belong to the main actor.
    ///
    /// **Order.** UIKit follows one turn of the main actor after the navigator has changed, and a
    /// report follows one turn after UIKit has finished.
    ///
    /// **Lifetime.** The controller keeps the navigator, and the controller of each place until the
    /// place leaves. A place ends when it leaves the navigator.
    public final class NavigatorController<Screen>: UIViewController {
        private struct Shown {
            let stack: Stack<Screen>
            let places: [Place<Screen>]
            let controller: UINavigationController
        }

        private let navigator: Navigator<Screen>
        private let layer: Layer<Screen>
        private let content: (Screen) -> UIViewController
        private var controllers: [Place<Screen>: UIViewController] = [:]
        private var shown: [Shown] = []
        private var embedded: UIViewController?
        /// The layer or dialog above, and its controller.
        private var above: (model: AnyObject, controller: UIViewController)?
        private var isWaiting = false
        private var followings = 0

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

        // MARK: Reports

        /// Reports what UIKit shows, and then follows the navigator, one turn later.
        private func settle() {
            Task { [weak self] in self?.reportAndFollow() }
        }

        private func reportAndFollow() {
            if !isInTransition { report() }
            follow()
        }

        private func report() {
            for entry in shown {
                let contents = entry.controller.viewControllers
                let left = entry.places.first { controllers[$0].map { !contents.contains($0) } ?? false }
                guard let left, let height = entry.stack.path.firstIndex(of: left) else { continue }
                entry.stack.path.removeSubrange(height...)
            }
            let tab = (embedded as? UITabBarController)?.selectedViewController
            if let selected = shown.first(where: { $0.controller === tab })?.stack.id, selected != layer.selection {
                layer.selection = selected
            }
            guard let above, above.model is Layer<Screen>, above.controller.presentingViewController == nil else {
                return
            }
            self.above = nil
            if layer.cover === above.model {
                layer.cover = nil
            } else if layer.sheet === above.model {
                layer.sheet = nil
            }
            layer.uncovered()
        }

        // MARK: Orders

        private func follow() {
            followings += 1
            let number = followings
            withObservationTracking {
                let wanted = layer.stacks.map { ($0, $0.places) }
                let (selection, above) = (layer.selection, (layer.cover ?? layer.sheet) as AnyObject? ?? layer.dialog)
                if !isInTransition {
                    show(wanted, selection)
                    show(above)
                }
            } onChange: { [weak self] in
                Task { @MainActor in if self?.followings == number { self?.follow() } }
            }
        }

        /// Whether UIKit is in a transition, which takes no orders; its end is then waited for.
        private var isInTransition: Bool {
            let controllers = [self, presentedViewController].compactMap(\.self) + shown.map(\.controller)
            guard let transition = controllers.lazy.compactMap(\.transitionCoordinator).first else { return false }
            guard !isWaiting else { return true }
            isWaiting = true
            transition.animate(alongsideTransition: nil) { [weak self] _ in
                self?.isWaiting = false
                self?.settle()
            }
            return true
        }

        private func show(_ stacks: [(Stack<Screen>, [Place<Screen>])], _ selection: Stack<Screen>.ID) {
            shown = stacks.map { stack, places in
                let old = shown.first { $0.stack === stack }
                let navigation = old?.controller ?? UINavigationController()
                let contents = places.map(controller(of:))
                if navigation.viewControllers != contents {
                    navigation.setViewControllers(contents, animated: old != nil)
                }
                if let root = contents.first { navigation.tabBarItem = root.tabBarItem }
                return Shown(stack: stack, places: places, controller: navigation)
            }
            let kept = Set(stacks.flatMap(\.1))
            controllers = controllers.filter { kept.contains($0.key) }
            guard shown.count > 1 else { return embed(shown[0].controller) }
            let tabs = embedded as? UITabBarController ?? UITabBarController()
            let contents = shown.map(\.controller)
            if tabs.viewControllers != contents { tabs.setViewControllers(contents, animated: false) }
            tabs.selectedViewController = shown.first { $0.stack.id == selection }?.controller
            embed(tabs)
        }

        private func embed(_ controller: UIViewController) {
            guard embedded !== controller else { return }
            embedded?.willMove(toParent: nil)
            embedded?.view.removeFromSuperview()
            embedded?.removeFromParent()
            embedded = controller
            addChild(controller)
            controller.view.frame = view.bounds
            controller.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            view.addSubview(controller.view)
            controller.didMove(toParent: self)
        }

        private func controller(of place: Place<Screen>) -> UIViewController {
            if let controller = controllers[place] { return controller }
            let controller = content(place.screen)
            controllers[place] = controller
            Reporter { [weak self] in self?.reportAndFollow() }.attach(to: controller)
            return controller
        }

        private func show(_ wanted: AnyObject?) {
            guard wanted !== above?.model else { return }
            let isLeaving = above?.controller.presentingViewController != nil
            above = nil
            if isLeaving {
                return dismiss(animated: true) { [weak self] in
                    self?.layer.uncovered()
                    self?.settle()
                }
            }
            guard let wanted, presentedViewController == nil, viewIfLoaded?.window != nil else { return }
            let controller = (wanted as? Layer<Screen>).map(controller(of:)) ?? alert(for: layer.dialog)
            above = (wanted, controller)
            present(controller, animated: true)
        }

        private func controller(of above: Layer<Screen>) -> UIViewController {
            let controller = NavigatorController(navigator, above, content)
            controller.modalPresentationStyle = above.style == .cover ? .fullScreen : .pageSheet
            Reporter { [weak self] in self?.reportAndFollow() }.attach(to: controller)
            return controller
        }

        private func alert(for dialog: PresentedDialog?) -> UIViewController {
            let alert = UIAlertController(title: dialog?.title, message: dialog?.message, preferredStyle: .alert)
            for button in dialog?.buttons ?? [] {
                let style = [DialogRole.destructive: UIAlertAction.Style.destructive, .cancel: .cancel][button.role]
                let action = UIAlertAction(title: button.label, style: style ?? .default) { _ in
                    dialog?.choose(button.id)
                }
                alert.addAction(action)
            }
            return alert
        }
    }
#endif
