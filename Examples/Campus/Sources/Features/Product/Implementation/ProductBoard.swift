import Backplane
import BackplaneFeatures
import CampusModels
import ProductInterface
import Screens

/// Shows products; its component keeps those that were seen, for the life of the window.
final class ProductBoard: Board {
    let slot: Slot<ProductPage>
    private let navigation: Navigation
    private let actions: ProductScreen.Actions
    private let isForSale: Bool
    /// The window keeps it.
    private weak var shelf: ProductShelf?

    init(
        slot: Slot<ProductPage>,
        navigation: Navigation,
        actions: ProductScreen.Actions,
        isForSale: Bool
    ) {
        self.slot = slot
        self.navigation = navigation
        self.actions = actions
        self.isForSale = isForSale
        let shelf = ProductShelf(load: actions.load)
        self.shelf = shelf
        slot.keep(shelf, for: navigation)
    }

    func activate(with id: Product.ID) {
        guard let shelf else { return }
        let screen = ProductScreen(
            id: id,
            product: shelf.product(id, on: slot.owner),
            actions: actions,
            isForSale: isForSale,
            favorites: { [slot] in slot.inner.contributions(to: .favorites).first }
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

    func ask(about title: String) {
        send("About \(title): ")
    }

    func purchase(_ product: Product.ID) async throws -> Purchase {
        try await answer(of: .purchase, to: product)
    }

    func make(_ change: FavoriteChange) async throws {
        _ = try await answer(of: .favorite, to: change)
    }

    /// Asks a board inside the session; a user who is not logged in sees the login form first.
    private func answer<Contract>(of id: BoardID<Contract>, to input: Contract.Input) async throws -> Contract.Output {
        do {
            return try await inner.result(of: id, with: input)
        } catch let error as BoardError where error.code == .denied {
            // They have left the login.
            throw CancellationError()
        }
    }
}
