import Backplane
import BackplaneFeatures
import CampusModels
import LoginInterface
import ProductInterface
import Screens

/// Shows products; its component keeps those that were seen, for the life of the window.
final class ProductBoard: Board {
    let slot: Slot<ProductPage>
    private let navigation: Navigation
    private let actions: ProductScreen.Actions
    private let favourites: ProductScreen.Favourites?
    /// The window keeps it.
    private weak var shelf: ProductShelf?

    init(
        slot: Slot<ProductPage>,
        navigation: Navigation,
        actions: ProductScreen.Actions,
        favourites: ProductScreen.Favourites?
    ) {
        self.slot = slot
        self.navigation = navigation
        self.actions = actions
        self.favourites = favourites
        let shelf = ProductShelf(load: actions.load)
        self.shelf = shelf
        slot.keep(shelf, for: navigation)
    }

    func activate(with id: Product.ID) {
        guard let shelf else { return }
        favourites?.load(.sole, on: slot.owner)
        let screen = ProductScreen(
            id: id,
            product: shelf.product(id, on: slot.owner),
            favourites: favourites,
            actions: actions
        )
        screen.delegate = self
        navigation.push(screen)
    }
}

extension ProductBoard: ProductDelegate {
    func perform(_ work: @escaping () async -> Void) {
        // Of the board: a purchase goes on when the next product is opened.
        task(lasting: .board, work)
    }

    /// The login answers at once when somebody is logged in, and otherwise comes over the product.
    ///
    /// One that is left without logging in ends as cancelled, which throws `CancellationError`.
    func logIn() async throws {
        do {
            _ = try await inner.result(of: .login)
        } catch let error as BoardError where error.code == .noSuchBoard {
            // Whether the user may do this is then for the server to say.
        }
    }
}
