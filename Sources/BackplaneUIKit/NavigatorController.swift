#if canImport(UIKit) && !os(watchOS)
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
    /// presented controllers, and dialogs as alerts or action sheets. A tab has the `tabBarItem` of
    /// its root's controller. The controller on top of the selected stack decides about the status
    /// bar and the orientations.
    ///
    /// **Isolation.** The navigator must belong to the main actor.
    ///
    /// **Order.** After the navigator has changed, UIKit follows in the next turn of the main
    /// actor. After the user has changed something, the navigator learns of it before the main run
    /// loop sleeps. Both wait for the end of a transition. If the app itself has presented a
    /// controller, a layer or dialog waits until that controller is gone.
    ///
    /// **Lifetime.** The controller keeps the navigator, and the controller of each place until the
    /// place leaves. A place ends when it leaves the navigator.
    public final class NavigatorController<Screen>: UIViewController {
        /// The navigator, which the controller of the base keeps alive.
        private var navigator: Navigator<Screen>?
        private let layer: Layer<Screen>
        private let content: (Screen) -> UIViewController
        private var controllers: [Place<Screen>: UIViewController] = [:]
        private var stacks: [Stack<Screen>.ID: UINavigationController] = [:]
        private var selection: Stack<Screen>.ID?
        private var embedded: UIViewController?
        /// The layer or dialog above, and its controller.
        private var above: (model: AnyObject, controller: UIViewController)?
        /// The facts at the last report; `nil` if a report is due.
        private var seen: [ObjectIdentifier?]?

        /// Creates a controller that shows a navigator.
        ///
        /// - Parameters:
        ///   - navigator: the navigator to show.
        ///   - content: returns the controller of a screen; called once for each place. If the
        ///     controller has a parent, is presented or belongs to another place, the new place
        ///     leaves at once, as if code had dismissed it. The controller of a place that has left
        ///     can be used again.
        public convenience init(_ navigator: Navigator<Screen>, content: @escaping (Screen) -> UIViewController) {
            self.init(navigator.base, content)
            self.navigator = navigator
        }

        private init(_ layer: Layer<Screen>, _ content: @escaping (Screen) -> UIViewController) {
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
            MainLoop.beforeSleep { [weak self] in
                if let self, seen != facts { update() }
                return self != nil
            }
        }

        /// Reports that the layer is on the screen.
        public override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            layer.appeared()
        }

        #if !os(tvOS)
            /// Lets a popover point to its place in the new size.
            public override func viewDidLayoutSubviews() {
                super.viewDidLayoutSubviews()
                guard let above else { return }
                anchor(above.controller, at: (above.model as? Layer<Screen>)?.form.anchor ?? (0.5, 0.5))
            }
        #endif

        #if !os(tvOS) && !os(visionOS)
            /// The controller of the screen on top.
            public override var childForStatusBarStyle: UIViewController? { top }

            /// The controller of the screen on top.
            public override var childForStatusBarHidden: UIViewController? { top }

            /// The orientations of the screen on top.
            public override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
                top?.supportedInterfaceOrientations ?? super.supportedInterfaceOrientations
            }

            private var top: UIViewController? { selection.flatMap { stacks[$0]?.topViewController } }
        #endif

        private func follow() {
            withObservationTracking {
                _ = (layer.stacks.map(\.places), layer.selection, layer.above, layer.dialog)
            } onChange: { [weak self] in
                Task { @MainActor in self?.follow() }
            }
            update()
        }

        /// Reports what UIKit shows, and lets it follow the navigator.
        private func update() {
            seen = nil
            // During a transition, UIKit takes no orders, and a pop by gesture may be cancelled.
            guard !layers.contains(where: \.isMoving) else { return }
            report()
            let reported = facts
            show()
            // The user may undo the change before the loop sleeps.
            seen = facts == reported ? reported : nil
        }

        /// The controllers that UIKit shows, and the window.
        private var facts: [ObjectIdentifier?] {
            let tab = (embedded as? UITabBarController)?.selectedViewController
            let above: [AnyObject?] = [viewIfLoaded?.window, presentedViewController, tab]
            return (above + stacks.values.flatMap(\.viewControllers)).map { $0.map(ObjectIdentifier.init) }
        }

        // MARK: Reports

        private func report() {
            for stack in layer.stacks {
                guard let shown = stacks[stack.id]?.viewControllers else { continue }
                // UIKit shows the root together with the path.
                stack.root?.appeared()
                // A place without a controller has not been shown yet.
                stack.path = Array(stack.path.prefix { controllers[$0].map(shown.contains) ?? true })
            }
            // A stack without a controller has no tab yet, so it has not been selected.
            if let tab = (embedded as? UITabBarController)?.selectedViewController,
                let selected = layer.stacks.first(where: { stacks[$0.id] === tab })?.id, let selection,
                selected != selection
            {
                layer[selection: selection] = selected
            }
            let shown = presentedViewController
            if let above, above.controller !== shown {
                (above.model as? Layer<Screen>)?.close()
                (above.model as? PresentedDialog)?.hide()
            }
            if shown == nil { layer.uncovered() }
        }

        // MARK: Orders

        private func show() {
            controllers = controllers.filter { place, _ in layer.stacks.contains { $0.places.contains(place) } }
            var refused: [Place<Screen>] = []
            let shown = layer.stacks.map { stack in
                let navigation = stacks[stack.id] ?? UINavigationController()
                let contents = stack.places.compactMap { place in
                    let controller = controller(of: place, in: navigation)
                    if controller == nil { refused.append(place) }
                    return controller
                }
                if navigation.viewControllers != contents {
                    // An animation from or to nothing leaves the view black until the next layout.
                    let isAnimated = !navigation.viewControllers.isEmpty && !contents.isEmpty
                    navigation.setViewControllers(contents, animated: isAnimated)
                }
                if let root = contents.first { navigation.tabBarItem = root.tabBarItem }
                return navigation
            }
            stacks = Dictionary(uniqueKeysWithValues: zip(layer.stacks.map(\.id), shown))
            embed(shown.count > 1 ? tabs(of: shown) : shown[0])
            selection = layer.selection
            #if !os(tvOS) && !os(visionOS)
                setNeedsStatusBarAppearanceUpdate()
                setNeedsUpdateOfSupportedInterfaceOrientations()
            #endif
            let wanted: [AnyObject?] = [layer.above, layer.dialog]
            show(wanted.compactMap(\.self))
            for place in refused { place.dismiss() }
        }

        private func tabs(of shown: [UIViewController]) -> UIViewController {
            let tabs = embedded as? UITabBarController ?? UITabBarController()
            // Otherwise the user may read the list of more tabs, which is no tab.
            guard tabs.viewControllers != shown || selection != layer.selection else { return tabs }
            if tabs.viewControllers != shown { tabs.setViewControllers(shown, animated: false) }
            tabs.selectedViewController = stacks[layer.selection]
            return tabs
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

        /// Returns the controller of a place; `nil` if it is somewhere else, where UIKit would lose
        /// it or end the process.
        private func controller(
            of place: Place<Screen>,
            in navigation: UINavigationController
        ) -> UIViewController? {
            if let controller = controllers[place] { return controller }
            let controller = content(place.screen)
            let isFree = controller.parent == nil && controller.presentingViewController == nil
            // Its earlier place may have left just now.
            guard isFree || controller.parent === navigation, !controllers.values.contains(controller) else {
                return nil
            }
            controllers[place] = controller
            return controller
        }

        /// Shows the first of the wanted models, unless one of them is shown already: a navigator
        /// without transitions may want a layer while the user answers a question.
        private func show(_ wanted: [AnyObject]) {
            guard !wanted.contains(where: { $0 === above?.model }) else { return }
            // UIKit may refuse, so it counts until it has gone.
            if let presenter = above?.controller.presentingViewController { return presenter.dismiss(animated: true) }
            above = nil
            guard let wanted = wanted.first, presentedViewController == nil, viewIfLoaded?.window != nil else { return }
            let controller = (wanted as? Layer<Screen>).map(controller(of:)) ?? alert(for: layer.dialog)
            present(controller, animated: true)
            // Otherwise UIKit has refused, and the user has closed nothing.
            if presentedViewController === controller { above = (wanted, controller) }
        }

        private func controller(of above: Layer<Screen>) -> UIViewController {
            let controller = NavigatorController(above, content)
            // The default is a sheet, where the system has sheets.
            if above.style == .cover { controller.modalPresentationStyle = .fullScreen }
            #if !os(tvOS)
                if above.form.isPopover {
                    controller.modalPresentationStyle = .popover
                    anchor(controller, at: above.form.anchor)
                }
                #if !os(visionOS)
                    if case .heights = above.form {
                        controller.modalPresentationStyle = .pageSheet
                        controller.sheetPresentationController?.detents = detents(of: above.form.heights)
                    }
                #endif
            #endif
            return controller
        }

        private func alert(for dialog: PresentedDialog?) -> UIViewController {
            let alert = UIAlertController(
                title: dialog?.title,
                message: dialog?.message,
                preferredStyle: dialog?.style == .actionSheet ? .actionSheet : .alert
            )
            #if !os(tvOS)
                // A tablet shows an action sheet as a popover, and traps without a source.
                anchor(alert, at: (0.5, 0.5))
            #endif
            let styles = [DialogRole.destructive: UIAlertAction.Style.destructive, .cancel: .cancel]
            for button in dialog?.buttons ?? [] {
                let style = styles[button.role] ?? .default
                alert.addAction(UIAlertAction(title: button.label, style: style) { _ in dialog?.choose(button.id) })
            }
            return alert
        }

        #if !os(tvOS)
            private func anchor(_ controller: UIViewController, at point: (x: Double, y: Double)) {
                let (popover, size) = (controller.popoverPresentationController, view.bounds.size)
                let x = view.effectiveUserInterfaceLayoutDirection == .rightToLeft ? 1 - point.x : point.x
                popover?.sourceView = view
                popover?.sourceRect = CGRect(x: size.width * x, y: size.height * point.y, width: 1, height: 1)
            }

            #if !os(visionOS)
                /// The heights, the lowest first, as UIKit wants them.
                ///
                /// Which one is the lowest depends on the size of the window, except that none is
                /// above the full height.
                private func detents(of heights: [SheetHeight]) -> [UISheetPresentationController.Detent] {
                    let parts = heights.filter { $0 != .large }.map(detent(of:))
                    let sorted = parts.indices.map { index in
                        UISheetPresentationController.Detent.custom { context in
                            let values = parts.compactMap { $0.resolvedValue(in: context) }.sorted()
                            return index < values.count ? min(values[index], context.maximumDetentValue) : nil
                        }
                    }
                    return sorted + (parts.count < heights.count ? [.large()] : [])
                }

                private func detent(of height: SheetHeight) -> UISheetPresentationController.Detent {
                    switch height {
                    case .medium: .medium()
                    case .large: .large()
                    case .fraction(let part): .custom { $0.maximumDetentValue * part }
                    case .points(let points): .custom { _ in points }
                    }
                }
            #endif
        #endif
    }
#endif
