// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// developer.apple.com/documentation/uikit/uisplitviewcontroller
@MainActor open class UISplitViewController: UIViewController {
    // developer.apple.com/documentation/uikit/uisplitviewcontroller/style-swift.enum
    public enum Style: Int, Sendable {
        case unspecified = 0
        case doubleColumn = 1
        case tripleColumn = 2
    }

    // developer.apple.com/documentation/uikit/uisplitviewcontroller/column
    public enum Column: Int, Sendable {
        case primary = 0
        case supplementary = 1
        case secondary = 2
        case compact = 3
    }

    open private(set) var style = Style.unspecified
    open private(set) var isCollapsed = false
    private var columns: [Column: UIViewController] = [:]
    /// The navigation controllers in which UIKit shows columns that are none.
    private var stacks: [Column: UINavigationController] = [:]

    public convenience init(style: Style) {
        self.init(nibName: nil, bundle: nil)
        self.style = style
    }
    open func setViewController(_ vc: UIViewController?, for column: Column) {
        let old = shown
        columns[column] = vc
        stacks[column] = (vc as? UINavigationController) ?? vc.map(UINavigationController.init(rootViewController:))
        setManaged(old, shown)
    }
    open func viewController(for column: Column) -> UIViewController? { columns[column] }

    /// Plays a window that becomes narrow or wide.
    ///
    /// A narrow window shows the column `compact`; the others are children no longer. Without it,
    /// the secondary column is on the stack of the primary one.
    public func setCollapsed(_ isCollapsed: Bool) {
        let old = shown
        let (first, second) = (stacks[.primary], stacks[.secondary])
        self.isCollapsed = isCollapsed
        setManaged(old, shown)
        guard columns[.compact] == nil, let first, let second else { return }
        let others = first.viewControllers.filter { $0 !== second }
        first.setViewControllers(isCollapsed ? others + [second] : others, animated: false)
        if !isCollapsed { setManaged([], shown) }
    }

    private var shown: [UIViewController] {
        let wide: [Column] = [.primary, .supplementary, .secondary]
        let names = isCollapsed ? [columns[.compact] == nil ? .primary : .compact] : wide
        return names.compactMap { stacks[$0] }
    }
    override var shownChildren: [UIViewController] { shown }
}
