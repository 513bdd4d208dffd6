#if canImport(UIKit)
    import Foundation
    import UIKit

    /// The part of the app that decides what follows the screen of an order.
    protocol OrderViewControllerDelegate: AnyObject {
        func orderViewControllerWantsNewAddress(_ controller: OrderViewController)
    }

    /// The screen of an order, without its views, which call its methods.
    final class OrderViewController: UIViewController {
        weak var delegate: (any OrderViewControllerDelegate)?
        private(set) var order: Order?
        private let id: Order.ID
        private let shop: Shop

        init(id: Order.ID, shop: Shop) {
            self.id = id
            self.shop = shop
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable) required init?(coder: NSCoder) { nil }

        override func viewDidLoad() {
            super.viewDidLoad()
            reload()
        }

        func reload() {
            order = shop.order(id)
            title = order?.name ?? "No such order"
        }

        /// Performs the action of the button "Change address".
        func changeAddressTapped() { delegate?.orderViewControllerWantsNewAddress(self) }
    }
#endif
