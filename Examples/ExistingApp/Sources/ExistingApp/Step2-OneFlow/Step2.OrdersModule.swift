#if canImport(UIKit)
    import Backplane
    import UIKit

    extension Step2 {
        /// The screens of an order.
        struct OrdersModule: BoardModule {
            let shop: Shop
            let navigation: UINavigationController

            func register(on motherboard: Motherboard) {
                motherboard.register(reuse: .perActivation) { slot in
                    OrderBoard(slot: slot, shop: shop, navigation: navigation)
                }
                motherboard.register { slot in
                    AddressBoard(slot: slot, navigation: navigation)
                }
            }
        }
    }
#endif
