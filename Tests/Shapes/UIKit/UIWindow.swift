// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

// developer.apple.com/documentation/uikit/uiwindow
@MainActor open class UIWindow: UIView {
    private struct Entry {
        weak var window: UIWindow?
    }

    private static var windows: [Entry] = []
    private static var isUpdating = false
    private static var mustUpdate = false
    /// The number of presentations that UIKit would have refused.
    static var refusals = 0

    private var visible: [UIViewController] = []
    /// The clock of the window's transitions; `nil` if each change ends at once.
    public var transitions: ShapeTransitions?

    open override var window: UIWindow? { self }
    open var rootViewController: UIViewController? {
        didSet { Self.updateAll() }
    }
    open func makeKeyAndVisible() {
        Self.windows.append(Entry(window: self))
        Self.updateAll()
    }

    static func window(of root: UIViewController) -> UIWindow? {
        windows.lazy.compactMap(\.window).first { $0.rootViewController === root }
    }

    static func shows(_ controller: UIViewController) -> Bool {
        windows.contains { $0.window?.visible.contains(controller) == true }
    }

    /// Tells controllers that they appear or disappear, after a change.
    static func updateAll() {
        guard !isUpdating else {
            mustUpdate = true
            return
        }
        isUpdating = true
        repeat {
            mustUpdate = false
            windows.removeAll { $0.window == nil }
            for entry in windows { entry.window?.update() }
        } while mustUpdate
        isUpdating = false
        CFRunLoop.wake()
    }

    private func update() {
        let new = rootViewController.map { Self.visible(from: $0, over: self) } ?? []
        let old = visible
        visible = new
        let (left, came) = (old.filter { !new.contains($0) }, new.filter { !old.contains($0) })
        for controller in left { controller.viewWillDisappear(false) }
        for controller in came { controller.viewWillAppear(false) }
        for controller in left { controller.viewDidDisappear(false) }
        for controller in came { controller.viewDidAppear(false) }
    }

    /// The controllers on the screen, from a root up, with their views in the window.
    private static func visible(from root: UIViewController, over view: UIView) -> [UIViewController] {
        let own = tree(of: root)
        guard let presented = own.compactMap(\.ownPresented).first else { return shown(own, in: view) }
        let above = visible(from: presented, over: view)
        switch presented.modalPresentationStyle {
        case .fullScreen:
            if root.viewIfLoaded?.superview != nil { root.view.removeFromSuperview() }
            return above
        default: return shown(own, in: view) + above
        }
    }

    private static func shown(_ controllers: [UIViewController], in view: UIView) -> [UIViewController] {
        if let root = controllers.first?.view, root.superview !== view { view.addSubview(root) }
        return controllers
    }

    private static func tree(of controller: UIViewController) -> [UIViewController] {
        controller.loadViewIfNeeded()
        return [controller] + controller.shownChildren.flatMap { tree(of: $0) }
    }
}
