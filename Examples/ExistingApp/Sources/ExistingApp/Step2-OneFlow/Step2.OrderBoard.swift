#if canImport(UIKit)
    import Backplane
    import BackplaneUIKit
    import UIKit

    extension Step2 {
        /// The board that shows an order, and asks another board for a new address.
        final class OrderBoard: Board {
            let slot: Slot<OrderPage>
            private let shop: Shop
            private let navigation: UINavigationController

            init(slot: Slot<OrderPage>, shop: Shop, navigation: UINavigationController) {
                self.slot = slot
                self.shop = shop
                self.navigation = navigation
            }

            func activate(with id: Order.ID) {
                let controller = OrderViewController(id: id, shop: shop)
                controller.delegate = self
                navigation.pushViewController(controller, animated: true)
                pair(with: controller.life)
            }
        }
    }

    extension Step2.OrderBoard: OrderViewControllerDelegate {
        func orderViewControllerWantsNewAddress(_ controller: OrderViewController) {
            guard let order = controller.order else { return }
            task {
                let address = try await self.inner.result(of: AddressForm.id, with: order.address)
                self.shop.deliver(order.id, to: address)
                controller.reload()
            }
        }
    }
#endif
