import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusModels
import CatalogInterface
import ProductInterface
import ProductModels
import Screens

/// A board that shows products.
///
/// Its component keeps the loaded products until the window closes.
final class ProductBoard: Board {
    let slot: Slot<ProductPage>
    private let module: ProductModule
    /// The shelf of loaded products, which the window keeps alive.
    private weak var shelf: ProductShelf?

    init(slot: Slot<ProductPage>, module: ProductModule) {
        self.slot = slot
        self.module = module
        let shelf = ProductShelf(load: module.actions.load)
        self.shelf = shelf
        slot.keep(shelf, for: module.navigator)
    }

    func activate(with id: Product.ID) {
        guard let shelf else { return }
        let screen = ProductModel(
            id: id,
            product: shelf.product(id, on: slot.owner),
            actions: module.actions,
            isForSale: module.isForSale,
            // The tasks belong to the board, so a purchase continues when the next product opens.
            startTask: { [slot] work in slot.task(lasting: .board, work) },
            context: self,
            favorites: { [slot] in slot.inner.contributions(to: .favorites).first },
            pendingPurchases: { [slot] in slot.inner.contributions(to: .pendingPurchases).first }
        )
        module.navigator.push(screen)
    }
}

extension ProductBoard: ProductContext {
    func result<Contract>(of board: BoardID<Contract>, with input: Contract.Input) async throws -> Contract.Output {
        do {
            return try await inner.result(of: board, with: input)
        } catch let error as BoardError where error.code == .denied {
            // The user left a form in front of the board.
            throw CancellationError()
        }
    }

    func openShop() {
        nextToBoard(Catalog.id)
    }

    func ask(about title: String) {
        send("About \(title): ")
    }
}
