#if canImport(UIKit)
    import Backplane
    import UIKit

    extension Step1 {
        /// The controllers and the motherboard of one window, which the scene delegate keeps.
        final class AppWindow {
            let navigation = UINavigationController()
            let motherboard = Motherboard.onMain()

            init(shop: Shop) {
                motherboard.register(reuse: .perActivation) { [navigation] slot in
                    OrderBoard(slot: slot, shop: shop, navigation: navigation)
                }
                navigation.viewControllers = [OrdersViewController(shop: shop, motherboard: motherboard)]
            }
        }
    }
#endif
