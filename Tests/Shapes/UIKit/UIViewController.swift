// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// developer.apple.com/documentation/uikit/uiresponder
@MainActor open class UIResponder: NSObject {}

// developer.apple.com/documentation/uikit/uiview
@MainActor open class UIView: UIResponder {
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    open var isHidden = false
    open var isUserInteractionEnabled = true
    open var frame = CGRect.zero { didSet { controller?.viewDidLayoutSubviews() } }
    fileprivate weak var controller: UIViewController?
    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    open var autoresizingMask: AutoresizingMask = []
    open var window: UIWindow? { superview?.window }
    // developer.apple.com/documentation/uikit/uiview/effectiveuserinterfacelayoutdirection
    open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection { layoutDirection }
    /// The direction of the user's language, for tests.
    public var layoutDirection = UIUserInterfaceLayoutDirection.leftToRight

    // developer.apple.com/documentation/uikit/uiview

    public override init() { super.init() }
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
        UIWindow.updateAll()
    }
    open func removeFromSuperview() {
        guard superview != nil else { return }
        superview?.subviews.removeAll { $0 === self }
        superview = nil
        UIWindow.updateAll()
    }
}

extension UIView {
    // developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }
        public static var flexibleWidth: AutoresizingMask { AutoresizingMask(rawValue: 2) }
        public static var flexibleHeight: AutoresizingMask { AutoresizingMask(rawValue: 16) }
    }
}

// developer.apple.com/documentation/uikit/uimodalpresentationstyle
public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen = 0
    case pageSheet = 1
    case formSheet = 2
    case overFullScreen = 5
    case popover = 7
    case automatic = -2
}

// developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
    private var loadedView: UIView?
    private var kept: [UIViewController] = []

    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
    public required init?(coder: NSCoder) { super.init() }
    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    deinit {
        Task { @MainActor in CFRunLoop.wake() }
    }

    // MARK: View

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set { loadedView = newValue }
    }
    open var viewIfLoaded: UIView? { loadedView }
    open var isViewLoaded: Bool { loadedView != nil }
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        loadedView?.controller = self
        viewDidLoad()
    }
    open func loadView() { loadedView = UIView() }
    open func viewDidLoad() {}
    // developer.apple.com/documentation/uikit/uiviewcontroller/viewdidlayoutsubviews()
    open func viewDidLayoutSubviews() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    open var title: String?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tabBarItem: UITabBarItem! = UITabBarItem()

    // MARK: Containment

    open private(set) weak var parent: UIViewController?
    open var children: [UIViewController] { kept }
    open func addChild(_ childController: UIViewController) {
        if let container = childController.parent, container !== self, container.manages(childController) {
            note("A controller was added that another container still has.")
        }
        if childController.parent !== self { childController.willMove(toParent: self) }
        childController.parent?.kept.removeAll { $0 === childController }
        kept.append(childController)
        childController.parent = self
    }
    open func removeFromParent() {
        parent?.kept.removeAll { $0 === self }
        parent = nil
        didMove(toParent: nil)
        UIWindow.updateAll()
    }
    open func willMove(toParent parent: UIViewController?) {}
    open func didMove(toParent parent: UIViewController?) {}

    /// Replaces the children that a container manages; for the shapes of containers.
    func setManaged(_ old: [UIViewController], _ new: [UIViewController]) {
        for child in old where !new.contains(child) {
            child.willMove(toParent: nil)
            kept.removeAll { $0 === child }
            child.parent = nil
        }
        for child in new where child.parent !== self { addChild(child) }
        UIWindow.updateAll()
        for child in old where !new.contains(child) { child.didMove(toParent: nil) }
        for child in new where !old.contains(child) { child.didMove(toParent: self) }
    }
    /// Whether a container shows the child without an order of its own.
    func manages(_ child: UIViewController) -> Bool { false }
    /// The children whose views are on the screen if this controller's view is.
    var shownChildren: [UIViewController] {
        guard let loadedView else { return [] }
        return kept.filter { $0.viewIfLoaded?.superview === loadedView }
    }

    open var navigationController: UINavigationController? {
        parent as? UINavigationController ?? parent?.navigationController
    }
    open var splitViewController: UISplitViewController? {
        parent as? UISplitViewController ?? parent?.splitViewController
    }
    open var tabBarController: UITabBarController? {
        parent as? UITabBarController ?? parent?.tabBarController
    }

    // MARK: Status bar and orientation

    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    // developer.apple.com/documentation/uikit/uiviewcontroller/childforstatusbarstyle
    open var childForStatusBarStyle: UIViewController? { nil }
    // developer.apple.com/documentation/uikit/uiviewcontroller/childforstatusbarhidden
    open var childForStatusBarHidden: UIViewController? { nil }
    // developer.apple.com/documentation/uikit/uiviewcontroller/supportedinterfaceorientations
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .all }
    /// The number of times that UIKit was told to ask again.
    public private(set) var statusBarUpdates = 0
    public private(set) var orientationUpdates = 0
    // developer.apple.com/documentation/uikit/uiviewcontroller/setneedsstatusbarappearanceupdate()
    open func setNeedsStatusBarAppearanceUpdate() { statusBarUpdates += 1 }
    // developer.apple.com/documentation/uikit/uiviewcontroller/setneedsupdateofsupportedinterface…
    open func setNeedsUpdateOfSupportedInterfaceOrientations() { orientationUpdates += 1 }

    // MARK: Presentation

    // developer.apple.com/documentation/uikit/uiviewcontroller
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    /// For `Sheet.swift`.
    var ownPresentation: UIPresentationController?
    open var isModalInPresentation = false
    private var presented: UIViewController?
    private weak var presenting: UIViewController?
    open var presentedViewController: UIViewController? { presented ?? parent?.presentedViewController }
    open var presentingViewController: UIViewController? { presenting ?? parent?.presentingViewController }
    open private(set) var isBeingDismissed = false
    /// The controller that this one itself presents, when it has appeared.
    private(set) var ownPresented: UIViewController?
    var transition: Transition?
    open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
        transition ?? parent?.transitionCoordinator
    }
    /// Plays the beginning of a transition, for example of a pop by gesture.
    public func beginTransition(isInteractive: Bool = false) {
        transition = Transition(isInteractive: isInteractive, of: [self])
    }
    /// Plays the end of the transition.
    public func endTransition() { transition?.finish() }

    /// Whether UIKit refuses presentations, for example because of a transition elsewhere.
    public var refusesPresentations = false

    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        precondition(!viewControllerToPresent.isWithoutSource, "A popover needs a `sourceView`, as on a tablet.")
        // UIKit presents from the controller around all others.
        if let parent { return parent.present(viewControllerToPresent, animated: flag, completion: completion) }
        if viewControllerToPresent.parent != nil || viewControllerToPresent.presenting != nil {
            return note("A controller was presented that has a parent or is presented already.")
        }
        // UIKit only logs a warning, and presents nothing.
        guard !refusesPresentations, presented == nil, transition == nil, !isMovingBelow,
            viewIfLoaded?.window != nil || UIWindow.shows(self)
        else {
            UIWindow.refusals += 1
            return
        }
        presented = viewControllerToPresent
        viewControllerToPresent.presenting = self
        viewControllerToPresent.loadViewIfNeeded()
        play(flag, with: [viewControllerToPresent]) {
            self.ownPresented = self.presented
            completion?()
        }
    }
    private var isMovingBelow: Bool {
        host?.transitions?.refusesDuringPushes == true
            && children.contains { $0.transition != nil || $0.isMovingBelow }
    }
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard presented != nil else {
            return (presenting ?? parent)?.dismiss(animated: flag, completion: completion) ?? ()
        }
        playDismissal(animated: flag, completion: completion)
    }
    /// Plays that the user pulls the controller above down, and perhaps lets go too early.
    public func pullDown(isCancelled: Bool) {
        playDismissal(animated: true, isInteractive: true, isCancelled: isCancelled)
    }

    private func playDismissal(
        animated flag: Bool,
        isInteractive: Bool = false,
        isCancelled: Bool = false,
        completion: (() -> Void)? = nil
    ) {
        let leaving = Array(sequence(first: self, next: \.presented).dropFirst())
        // UIKit ignores it during a transition of one of them.
        guard let above = leaving.first, ([self] + leaving).allSatisfy({ $0.transition == nil }) else {
            UIWindow.refusals += 1
            return
        }
        above.isBeingDismissed = true
        play(flag, with: [above], isInteractive: isInteractive) {
            above.isBeingDismissed = false
            if isCancelled { return }
            for controller in leaving.reversed() {
                controller.presenting?.presented = nil
                controller.presenting?.ownPresented = nil
                controller.presenting = nil
                controller.viewIfLoaded?.removeFromSuperview()
            }
            completion?()
        }
    }
}

// developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinator
@MainActor public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}

@MainActor public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {
    var isInteractive: Bool { get }
}
