import BackplaneNavigation
import Testing
import UIKit

@testable import ExistingApp

/// Gives the main actor enough turns for all reports.
@MainActor func settle() async {
    for _ in 0..<30 { await Task.yield() }
}

/// The app of one step, in a window that shows it.
@MainActor final class ShownApp {
    enum Step: CaseIterable {
        case before, oneScreen, oneFlow, links
    }

    let shop = Shop()
    let navigation: UINavigationController
    private let window: UIWindow
    /// The app's own object, which keeps its motherboard alive.
    private let owner: AnyObject?

    init(_ step: Step) {
        switch step {
        case .before:
            navigation = UINavigationController(rootViewController: Before.OrdersViewController(shop: shop))
            owner = nil
        case .oneScreen:
            let app = Step1.AppWindow(shop: shop)
            navigation = app.navigation
            owner = app
        case .oneFlow:
            let app = Step2.AppWindow(shop: shop)
            navigation = app.navigation
            owner = app
        case .links:
            let app = Step3.AppWindow(shop: shop, links: LinkReceiver())
            navigation = app.navigation
            owner = app
        }
        window = shownWindow(navigation)
    }

    func tapOrder(_ id: Order.ID) {
        let list = navigation.viewControllers.first
        (list as? Before.OrdersViewController)?.orderTapped(id)
        (list as? Step1.OrdersViewController)?.orderTapped(id)
    }
}

/// Returns a window that shows a controller.
@MainActor func shownWindow(_ root: UIViewController) -> UIWindow {
    let window = UIWindow()
    window.rootViewController = root
    window.makeKeyAndVisible()
    return window
}

extension UINavigationController {
    var titles: [String] { viewControllers.compactMap(\.title) }

    var shownOrder: OrderViewController? { topViewController as? OrderViewController }

    var shownForm: AddressViewController? { presentedViewController as? AddressViewController }
}
