// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// developer.apple.com/documentation/uikit/uistatusbarstyle
public enum UIStatusBarStyle: Int, Sendable {
    case `default` = 0
    case lightContent = 1
    case darkContent = 3
}

// developer.apple.com/documentation/uikit/uiinterfaceorientationmask
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }
    public static var portrait: UIInterfaceOrientationMask { UIInterfaceOrientationMask(rawValue: 1 << 1) }
    public static var landscape: UIInterfaceOrientationMask { UIInterfaceOrientationMask(rawValue: 3 << 3) }
    public static var all: UIInterfaceOrientationMask { UIInterfaceOrientationMask(rawValue: 15 << 1) }
}

extension UIWindow {
    /// The controller that UIKit asks about the status bar: the root, or the child that it names.
    public var controllerForStatusBar: UIViewController? {
        var controller = rootViewController
        while let child = controller?.childForStatusBarStyle { controller = child }
        return controller
    }
}

// developer.apple.com/documentation/uikit/uiuserinterfacelayoutdirection
public enum UIUserInterfaceLayoutDirection: Int, Sendable {
    case leftToRight = 0
    case rightToLeft = 1
}
