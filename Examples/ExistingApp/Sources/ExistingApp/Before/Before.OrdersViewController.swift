#if canImport(UIKit)
    import Foundation
    import UIKit

    extension Before {
        /// The list of orders, which knows both screens that follow it.
        final class OrdersViewController: UIViewController {
            private let shop: Shop

            init(shop: Shop) {
                self.shop = shop
                super.init(nibName: nil, bundle: nil)
            }

            @available(*, unavailable) required init?(coder: NSCoder) { nil }

            override func viewDidLoad() {
                super.viewDidLoad()
                title = "\(shop.orders.count) orders"
            }

            /// Performs the action of a row.
            func orderTapped(_ id: Order.ID) {
                let controller = OrderViewController(id: id, shop: shop)
                controller.delegate = self
                navigationController?.pushViewController(controller, animated: true)
            }
        }
    }

    extension Before.OrdersViewController: OrderViewControllerDelegate {
        func orderViewControllerWantsNewAddress(_ controller: OrderViewController) {
            guard let order = controller.order else { return }
            let form = AddressViewController(address: order.address)
            form.onSave = { [weak self, weak controller] address in
                self?.shop.deliver(order.id, to: address)
                controller?.reload()
                self?.navigationController?.dismiss(animated: true)
            }
            form.onCancel = { [weak self] in self?.navigationController?.dismiss(animated: true) }
            navigationController?.present(form, animated: true)
        }
    }
#endif
