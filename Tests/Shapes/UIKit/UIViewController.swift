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
    open var frame = CGRect.zero
    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    open var autoresizingMask: AutoresizingMask = []
    open var window: UIWindow? { superview?.window }

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
        viewDidLoad()
    }
    open func loadView() { loadedView = UIView() }
    open func viewDidLoad() {}
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

    // MARK: Presentation

    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    open var isModalInPresentation = false
    private var presented: UIViewController?
    private weak var presenting: UIViewController?
    open var presentedViewController: UIViewController? { presented ?? parent?.presentedViewController }
    open var presentingViewController: UIViewController? { presenting ?? parent?.presentingViewController }
    open var isBeingDismissed: Bool { false }
    private var transition: Transition?
    open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
        transition ?? parent?.transitionCoordinator
    }
    /// Plays the beginning of a transition, for example of a pop by gesture.
    public func beginTransition(isInteractive: Bool = false) { transition = Transition(isInteractive) }
    /// Plays the end of the transition.
    public func endTransition() {
        let completions = transition?.completions ?? []
        let context = transition
        transition = nil
        if let context { for completion in completions { completion(context) } }
        UIWindow.updateAll()
    }

    /// Whether UIKit refuses presentations, for example because of a transition elsewhere.
    public var refusesPresentations = false

    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        guard !refusesPresentations else { return }
        // UIKit presents from the controller around all others.
        if let parent { return parent.present(viewControllerToPresent, animated: flag, completion: completion) }
        // UIKit only logs a warning, and presents nothing.
        guard presented == nil, viewIfLoaded?.window != nil || UIWindow.shows(self) else {
            UIWindow.refusals += 1
            return
        }
        presented = viewControllerToPresent
        viewControllerToPresent.presenting = self
        UIWindow.updateAll()
        completion?()
    }
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        if let presented {
            var leaving: [UIViewController] = [presented]
            while let next = leaving.last?.presented { leaving.append(next) }
            self.presented = nil
            for controller in leaving.reversed() {
                controller.presented = nil
                controller.presenting = nil
            }
            UIWindow.updateAll()
            completion?()
        } else if let presenting {
            presenting.dismiss(animated: flag, completion: completion)
        } else {
            parent?.dismiss(animated: flag, completion: completion)
        }
    }
    /// The controller that this one itself presents.
    var ownPresented: UIViewController? { presented }
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

private final class Transition: NSObject, UIViewControllerTransitionCoordinator {
    let isInteractive: Bool
    private(set) var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []

    init(_ isInteractive: Bool) {
        self.isInteractive = isInteractive
    }

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        if let completion { completions.append(completion) }
        return true
    }
}
