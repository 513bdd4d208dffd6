// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// developer.apple.com/documentation/uikit/uinavigationcontroller
@MainActor open class UINavigationController: UIViewController {
    private var stack: [UIViewController] = []

    public convenience init(rootViewController: UIViewController) {
        self.init(nibName: nil, bundle: nil)
        setViewControllers([rootViewController], animated: false)
    }
    open var viewControllers: [UIViewController] {
        get { stack }
        set { setViewControllers(newValue, animated: false) }
    }
    open var topViewController: UIViewController? { stack.last }
    /// The controller on the screen, which is another one than the top during a transition.
    private weak var shown: UIViewController?
    private weak var ownTransition: Transition?
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        change(to: viewControllers, animated: animated)
    }
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        change(to: stack + [viewController], animated: animated)
    }
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard stack.count > 1 else { return nil }
        let last = stack.last
        change(to: stack.dropLast(), animated: animated)
        return last
    }
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        let left = Array(stack.dropFirst())
        change(to: Array(stack.prefix(1)), animated: animated)
        return left
    }
    /// Plays that the user swipes back, and perhaps lets go too early.
    public func swipeBack(isCancelled: Bool) {
        guard stack.count > 1 else { return }
        let before = stack
        change(to: stack.dropLast(), animated: true, isInteractive: true) {
            if isCancelled { self.replace(before) }
        }
    }

    private func change(
        to new: [UIViewController],
        animated: Bool,
        isInteractive: Bool = false,
        end: @escaping () -> Void = {}
    ) {
        if Set(new).count < new.count { return note("A controller was pushed twice.") }
        // UIKit loses it, or shows a bar that belongs to another controller.
        if transition != nil, transition === ownTransition, host?.transitions != nil {
            return note("A stack was changed during its transition.")
        }
        let old = stack.last
        shown = old
        replace(new)
        // During a presentation, the change is not animated.
        guard old != nil, new.last !== old, transition == nil, UIWindow.shows(self) else {
            shown = new.last
            return
        }
        play(animated, with: [], isInteractive: isInteractive) {
            end()
            self.shown = self.stack.last
        }
        ownTransition = transition
    }
    private func replace(_ new: [UIViewController]) {
        let old = stack
        stack = new
        setManaged(old, new)
    }
    override func manages(_ child: UIViewController) -> Bool { stack.contains(child) }
    override var shownChildren: [UIViewController] {
        // UIKit puts the view of the top controller into its own view.
        (transition == nil || transition !== ownTransition ? stack.last : shown).map { [$0] } ?? []
    }
}

// developer.apple.com/documentation/uikit/uitabbarcontroller
@MainActor open class UITabBarController: UIViewController {
    private var tabs: [UIViewController]?
    private var selected = 0

    open var viewControllers: [UIViewController]? {
        get { tabs }
        set { setViewControllers(newValue, animated: false) }
    }
    open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
        let old = tabs ?? []
        let current = selectedViewController
        tabs = viewControllers
        selected = current.flatMap { viewControllers?.firstIndex(of: $0) } ?? 0
        showsMore = false
        setManaged(old, viewControllers ?? [])
    }
    open var selectedIndex: Int {
        get { selected }
        set {
            selected = newValue
            showsMore = false
            UIWindow.updateAll()
        }
    }
    // developer.apple.com/documentation/uikit/uitabbarcontroller/morenavigationcontroller
    open private(set) lazy var moreNavigationController = UINavigationController()
    /// Whether the user reads the list of tabs that have no room in the bar.
    private var showsMore = false
    // developer.apple.com/documentation/uikit/uitabbarcontroller/selectedviewcontroller
    open var selectedViewController: UIViewController? {
        get {
            if showsMore { return moreNavigationController }
            return tabs.flatMap { $0.indices.contains(selected) ? $0[selected] : nil }
        }
        set {
            newValue.flatMap { tabs?.firstIndex(of: $0) }.map { selectedIndex = $0 }
            showsMore = newValue === moreNavigationController
            UIWindow.updateAll()
        }
    }
    override func manages(_ child: UIViewController) -> Bool { tabs?.contains(child) == true }
    override var shownChildren: [UIViewController] { selectedViewController.map { [$0] } ?? [] }
}

// developer.apple.com/documentation/uikit/uitabbaritem
@MainActor open class UITabBarItem: NSObject {
    open var title: String?
}

// developer.apple.com/documentation/uikit/uialertcontroller
@MainActor open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable {
        case actionSheet = 0
        case alert = 1
    }

    open private(set) var actions: [UIAlertAction] = []
    open var message: String?
    public private(set) var preferredStyle = Style.alert

    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
        modalPresentationStyle = .overFullScreen
        self.title = title
        self.message = message
        self.preferredStyle = preferredStyle
    }
    open func addAction(_ action: UIAlertAction) { actions.append(action) }

    /// Plays the user's tap: the alert is dismissed, and then the action's handler is called.
    public func tap(_ title: String) {
        guard let action = actions.first(where: { $0.title == title }) else { return }
        presentingViewController?.dismiss(animated: true) { action.handler?(action) }
    }
}

// developer.apple.com/documentation/uikit/uialertaction
@MainActor open class UIAlertAction: NSObject {
    public enum Style: Int, Sendable {
        case `default` = 0
        case cancel = 1
        case destructive = 2
    }

    open private(set) var title: String?
    open private(set) var style = Style.default
    fileprivate var handler: ((UIAlertAction) -> Void)?

    public convenience init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.init()
        self.title = title
        self.style = style
        self.handler = handler
    }
}
