// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// developer.apple.com/documentation/uikit/uipageviewcontroller
@MainActor open class UIPageViewController: UIViewController {
    // developer.apple.com/documentation/uikit/uipageviewcontroller/transitionstyle-swift.enum
    public enum TransitionStyle: Int, Sendable {
        case pageCurl = 0
        case scroll = 1
    }

    // developer.apple.com/documentation/uikit/uipageviewcontroller/navigationorientation-swift.enum
    public enum NavigationOrientation: Int, Sendable {
        case horizontal = 0
        case vertical = 1
    }

    // developer.apple.com/documentation/uikit/uipageviewcontroller/navigationdirection
    public enum NavigationDirection: Int, Sendable {
        case forward = 0
        case reverse = 1
    }

    private var pages: [UIViewController] = []
    open var viewControllers: [UIViewController]? { pages }

    public init(transitionStyle style: TransitionStyle, navigationOrientation: NavigationOrientation) {
        super.init(nibName: nil, bundle: nil)
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open func setViewControllers(
        _ viewControllers: [UIViewController]?,
        direction: NavigationDirection,
        animated: Bool,
        completion: ((Bool) -> Void)? = nil
    ) {
        let old = pages
        pages = viewControllers ?? []
        setManaged(old, pages)
        completion?(true)
    }
    override var shownChildren: [UIViewController] { pages }
}
