#if canImport(UIKit)
    import Backplane
    import BackplaneUIKit
    import UIKit

    /// The flow of a window, around any root controller that the app already has.
    nonisolated enum ShopFlow: BoardContract {
        typealias Input = UINavigationController
    }

    /// A screen of the flow, in a controller that the app already has.
    nonisolated enum ShopPage: BoardContract {
        typealias Input = UIViewController
    }

    extension BoardID<ShopFlow> {
        nonisolated static var shop: Self { "shop" }
    }

    extension BoardID<ShopPage> {
        nonisolated static var basket: Self { "basket" }
        nonisolated static var offers: Self { "offers" }
        nonisolated static var profile: Self { "profile" }
        nonisolated static var help: Self { "help" }
    }

    /// The coordinator of the window, with four boards inside it.
    final class ShopCoordinator: Board {
        let slot: Slot<ShopFlow>

        init(slot: Slot<ShopFlow>) {
            self.slot = slot
        }

        func activate(with rootViewController: UINavigationController) {
            for id in [BoardID.basket, .offers, .profile] {
                inner.register(id, reuse: .perActivation) { slot in
                    ShopPageBoard(slot: slot) { rootViewController.pushViewController($0, animated: true) }
                }
            }
            inner.register(.help, reuse: .perActivation) { slot in
                ShopPageBoard(slot: slot) { controller in
                    // UIKit ends the process if a controller is presented twice.
                    guard controller.presentingViewController == nil else { return }
                    rootViewController.present(controller, animated: true)
                }
            }
            pair(with: rootViewController.life)
        }
    }

    /// The board of one controller, which ends when the controller leaves.
    final class ShopPageBoard: Board {
        let slot: Slot<ShopPage>
        private let show: (UIViewController) -> Void

        init(slot: Slot<ShopPage>, show: @escaping (UIViewController) -> Void) {
            self.slot = slot
            self.show = show
        }

        func activate(with controller: UIViewController) {
            show(controller)
            pair(with: controller.life)
        }
    }
#endif
