#if canImport(UIKit)
    import Backplane
    import BackplaneUIKit
    import UIKit

    extension Step1 {
        /// The board that shows an order in the controller that the app already has.
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

    extension Step1.OrderBoard: OrderViewControllerDelegate {
        func orderViewControllerWantsNewAddress(_ controller: OrderViewController) {
            guard let order = controller.order else { return }
            let form = AddressViewController(address: order.address)
            form.onSave = { [weak self, weak controller] address in
                self?.shop.deliver(order.id, to: address)
                controller?.reload()
                self?.navigation.dismiss(animated: true)
            }
            form.onCancel = { [weak self] in self?.navigation.dismiss(animated: true) }
            navigation.present(form, animated: true)
        }
    }
#endif
