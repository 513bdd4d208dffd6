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
    /// The loaded products, which the window keeps alive, so that they reopen at once.
    private weak var shelf: RecordStore<Product.ID, Product>?

    init(slot: Slot<ProductPage>, module: ProductModule) {
        self.slot = slot
        self.module = module
        let shelf = RecordStore<Product.ID, Product>()
        self.shelf = shelf
        slot.keep(shelf, for: module.navigator)
    }

    func activate(with id: Product.ID) {
        let product = Loader(store: shelf, module.actions.load)
        product.load(id, on: slot.owner)
        let screen = ProductModel(
            id: id,
            product: product,
            actions: module.actions,
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
