#if canImport(UIKit)
    import Backplane
    import Foundation
    import UIKit

    extension Step1 {
        /// The list of orders, which knows the ID of the screen that follows it.
        final class OrdersViewController: UIViewController {
            private let shop: Shop
            private weak var motherboard: Motherboard?

            init(shop: Shop, motherboard: Motherboard) {
                self.shop = shop
                self.motherboard = motherboard
                super.init(nibName: nil, bundle: nil)
            }

            @available(*, unavailable) required init?(coder: NSCoder) { nil }

            override func viewDidLoad() {
                super.viewDidLoad()
                title = "\(shop.orders.count) orders"
            }

            /// Performs the action of a row.
            func orderTapped(_ id: Order.ID) {
                motherboard?.activate(OrderPage.id, with: id)
            }
        }
    }
#endif
