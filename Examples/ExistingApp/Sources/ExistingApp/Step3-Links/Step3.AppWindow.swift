#if canImport(UIKit)
    import Backplane
    import BackplaneNavigation
    import Foundation
    import UIKit

    extension Step3 {
        /// The controllers and the motherboard of one window, which the scene delegate keeps.
        final class AppWindow {
            let navigation = UINavigationController()
            let motherboard = Motherboard.onMain()
            private let links: LinkReceiver

            init(shop: Shop, links: LinkReceiver) {
                self.links = links
                motherboard.install(OrdersModule(shop: shop, navigation: navigation))
                motherboard.allowLinks(schemes: ["shop"], hosts: ["shop.example"])
                motherboard.registerLink("order/{id}", to: OrderPage.id)
                navigation.viewControllers = [OrdersViewController(shop: shop, motherboard: motherboard)]
            }

            func open(_ url: URL, by way: String) {
                guard links.accepts(url.absoluteString, by: way), motherboard.canOpen(url) else { return }
                navigation.dismiss(animated: false)
                navigation.popToRootViewController(animated: false)
                motherboard.open(url)
            }
        }
    }
#endif
