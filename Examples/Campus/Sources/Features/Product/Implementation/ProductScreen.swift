public import BackplaneFeatures
public import CampusModels
import Foundation
public import Observation
public import ProductInterface
public import Screens

/// The board of a product's screen.
protocol ProductDelegate: AnyObject {
    /// Performs work on the screen's actor, which continues after the screen closes.
    func perform(_ work: @escaping () async -> Void)
    /// Lets the user write a message about a product.
    func ask(about title: String)
    func purchase(_ product: Product.ID) async throws -> Purchase
    func make(_ change: FavoriteChange) async throws
}

/// A screen of one product.
@Observable
public final class ProductScreen: Screen {
    /// The actions of the screen, which does not know where products come from or who sells them.
    public typealias Actions = (
        /// Loads a product for the window, which keeps the product after the screen closes.
        load: Action<Void, Product.ID, Product>.Async,
        /// Buys the product, and returns when the server has confirmed the purchase.
        purchase: Action<any ProductContext, Product.ID, Purchase>.Async,
        /// Adds or removes a favorite; the pending mutations of the favorites show the outcome.
        favorite: Action<any ProductContext, FavoriteChange, Void>.Async,
        /// Shares the product.
        share: Action<any ProductContext, Product, Void>.Sync
    )

    /// The favorites of the signed-in user, which the action `favorite` changes.
    public typealias Favorites = Loader<Sole, Set<Product.ID>>

    struct Model: Sendable {
        let description: String
        let price: String
    }

    struct FavoriteModel: Sendable {
        let isFavorite: Bool
        /// Whether the server has not confirmed the shown value yet.
        let isUnsaved: Bool
        let changes: ChangeModel?
    }

    struct ShopModel: Sendable {
        let isPurchasing: Bool
        let receipt: String?
        let refusal: String?
        let shared: SharedModel?
    }

    struct SharedModel: Sendable {
        let title: String
        let link: String
    }

    private let id: Product.ID
    private let product: Loader<Product.ID, Product>
    private let actions: Actions
    private let isForSale: Bool
    private let findFavorites: () -> Favorites?
    @ObservationIgnored weak var delegate: (any ProductDelegate)?
    private var isPurchasing = false
    private var receipt: String?
    private var refusal: String?
    private var shared: SharedModel?
    /// The number of running changes of favorites.
    private var favoring = 0

    /// Creates a screen of a product.
    ///
    /// - Parameters:
    ///   - id: the product's ID.
    ///   - product: the loader of the product.
    ///   - actions: the actions of the screen.
    ///   - isForSale: whether the user can buy, share and favor the product, not only read about
    ///     it.
    ///   - favorites: returns the favorites of the signed-in user; `nil` if no user is logged in.
    init(
        id: Product.ID,
        product: Loader<Product.ID, Product>,
        actions: Actions,
        isForSale: Bool,
        favorites: @escaping () -> Favorites?
    ) {
        self.id = id
        self.product = product
        self.actions = actions
        self.isForSale = isForSale
        findFavorites = favorites
    }

    private var favorites: Favorites? { findFavorites() }

    /// The product's title.
    public var title: String { product.value?.title ?? "Product" }

    /// The deep link of the product, as a path.
    public var path: String {
        "/product/" + (id.rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    /// Whether something is loading or an action is running.
    public var isBusy: Bool {
        product.state.isLoading || favorites?.state.isLoading == true || isPurchasing || favoring > 0
    }

    /// The product and, if it is for sale, the favorite and the shop sections.
    public var sections: [Section] {
        let details = Section(id: "product", template: "product", loader: product) {
            Model(description: $0.description, price: "\($0.price)")
        }
        guard isForSale else { return [details] }
        let shop = Section(id: "shop", template: "product/shop") {
            ShopModel(
                isPurchasing: self.isPurchasing,
                receipt: self.receipt,
                refusal: self.refusal,
                shared: self.shared
            )
        }
        return [details, favoriteSection, shop]
    }

    private var favoriteSection: Section {
        let (id, template) = ("favorite", "product/favorite")
        guard let favorites else {
            return Section(id: id, template: template) {
                LoadModel(section: id, value: FavoriteModel(isFavorite: false, isUnsaved: false, changes: nil))
            }
        }
        return Section(id: id, template: template, loader: favorites) {
            let pending = favorites.pending.filter { $0.label == self.id.rawValue }
            return FavoriteModel(
                isFavorite: $0.contains(self.id),
                isUnsaved: pending.contains { $0.status != .failed },
                changes: ChangeModel(pending)
            )
        }
    }

    /// Performs the action of an event.
    public func handle(_ event: ScreenEvent) {
        switch event.name {
        case "purchase": purchase()
        case "favorite": favor(true)
        case "unfavorite": favor(false)
        case "ask": if let product = product.value { delegate?.ask(about: product.title) }
        case "share": if let product = product.value { actions.share(self, product) }
        case "retry" where event["section"] == "favorite": favorites?.retry()
        case "retry": product.retry()
        default: _ = favorites?.handleChange(event)
        }
    }

    private func purchase() {
        guard !isPurchasing, let delegate else { return }
        isPurchasing = true
        receipt = nil
        refusal = nil
        delegate.perform {
            do {
                let purchase = try await self.actions.purchase(self, self.id)
                self.receipt = "You have bought this for \(purchase.price)."
            } catch is CancellationError {
                // The user cancelled the purchase, so nothing was bought.
            } catch {
                self.refusal = DisplayError(explaining: error)?.message ?? "This could not be bought. Try again."
            }
            self.isPurchasing = false
        }
    }

    private func favor(_ isFavorite: Bool) {
        guard let delegate else { return }
        favoring += 1
        delegate.perform {
            // A failure is among the pending mutations, which outlive this screen.
            try? await self.actions.favorite(self, FavoriteChange(self.id, isFavorite: isFavorite))
            self.favoring -= 1
        }
    }
}

extension ProductScreen: ProductContext {
    /// Shows the link below the buttons.
    public func show(link: String, to title: String) {
        shared = SharedModel(title: title, link: link)
    }

    /// Buys the product through the board.
    public func purchase(_ product: Product.ID) async throws -> Purchase {
        guard let delegate else { throw CancellationError() }
        return try await delegate.purchase(product)
    }

    /// Changes a favorite through the board.
    public func make(_ change: FavoriteChange) async throws {
        guard let delegate else { throw CancellationError() }
        try await delegate.make(change)
    }
}
