// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

extension UIViewController {
    // developer.apple.com/documentation/uikit/uiviewcontroller/sheetpresentationcontroller
    public var sheetPresentationController: UISheetPresentationController? {
        guard [.pageSheet, .formSheet].contains(modalPresentationStyle) else { return nil }
        return presentation { UISheetPresentationController() }
    }
    // developer.apple.com/documentation/uikit/uiviewcontroller/popoverpresentationcontroller
    public var popoverPresentationController: UIPopoverPresentationController? {
        guard isPopover else { return nil }
        return presentation { UIPopoverPresentationController() }
    }

    /// Whether a tablet shows this controller in a popover.
    private var isPopover: Bool {
        modalPresentationStyle == .popover || (self as? UIAlertController)?.preferredStyle == .actionSheet
    }

    /// Whether UIKit ends the process, because nothing says where a popover belongs.
    var isWithoutSource: Bool { isPopover && popoverPresentationController?.sourceView == nil }

    private func presentation<Controller: UIPresentationController>(_ make: () -> Controller) -> Controller {
        if let controller = ownPresentation as? Controller { return controller }
        let controller = make()
        ownPresentation = controller
        return controller
    }
}

// developer.apple.com/documentation/uikit/uipresentationcontroller
@MainActor open class UIPresentationController: NSObject {}

// developer.apple.com/documentation/uikit/uipopoverpresentationcontroller
@MainActor open class UIPopoverPresentationController: UIPresentationController {
    // developer.apple.com/documentation/uikit/uipopoverpresentationcontroller/sourceview
    open var sourceView: UIView?
    // developer.apple.com/documentation/uikit/uipopoverpresentationcontroller/sourcerect
    open var sourceRect = CGRect.zero
}

// developer.apple.com/documentation/uikit/uisheetpresentationcontroller
@MainActor open class UISheetPresentationController: UIPresentationController {
    // developer.apple.com/documentation/uikit/uisheetpresentationcontroller/detents
    open var detents: [Detent] = [.large()]
}

extension UISheetPresentationController {
    // developer.apple.com/documentation/uikit/uisheetpresentationcontroller/detent
    @MainActor open class Detent: NSObject {
        private var resolve: (CGFloat) -> CGFloat? = { $0 }

        // In UIKit, these return `Self`.
        public class func large() -> Detent { Detent() }
        public class func medium() -> Detent { custom { $0.maximumDetentValue / 2 } }
        // developer.apple.com/documentation/uikit/uisheetpresentationcontroller/detent/resolved…
        public func resolvedValue(in context: any UISheetPresentationControllerDetentResolutionContext) -> CGFloat? {
            resolve(context.maximumDetentValue)
        }
    }
}

extension UISheetPresentationController.Detent {
    // developer.apple.com/documentation/uikit/uisheetpresentationcontroller/detent/identifier…
    public struct Identifier: Hashable, Sendable {
        public let rawValue: String
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }

    // developer.apple.com/documentation/uikit/uisheetpresentationcontroller/detent/custom…
    public static func custom(
        identifier: Identifier? = nil,
        resolver: @escaping (any UISheetPresentationControllerDetentResolutionContext) -> CGFloat?
    ) -> UISheetPresentationController.Detent {
        let detent = UISheetPresentationController.Detent()
        detent.resolve = { resolver(Resolution(maximumDetentValue: $0)) }
        return detent
    }
}

// developer.apple.com/documentation/uikit/uisheetpresentationcontrollerdetentresolutioncontext
@MainActor public protocol UISheetPresentationControllerDetentResolutionContext: NSObjectProtocol {
    var maximumDetentValue: CGFloat { get }
}

private final class Resolution: NSObject, UISheetPresentationControllerDetentResolutionContext {
    let maximumDetentValue: CGFloat

    init(maximumDetentValue: CGFloat) {
        self.maximumDetentValue = maximumDetentValue
    }
}
