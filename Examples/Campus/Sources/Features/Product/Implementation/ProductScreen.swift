public import BackplaneFeatures
public import CampusModels
import Foundation
public import Observation
public import ProductInterface
public import Screens

/// The board of a product's screen.
protocol ProductDelegate: AnyObject {
    /// Does work on the screen's actor, also when the screen has left.
    func perform(_ work: @escaping () async -> Void)
    /// Lets the person write a message about a product.
    func ask(about title: String)
    func purchase(_ product: Product.ID) async throws -> Purchase
    func make(_ change: FavoriteChange) async throws
}

/// One product.
@Observable
public final class ProductScreen: Screen {
    /// What can be done with a product; the screen knows neither where it comes from nor who sells it.
    public typealias Actions = (
        /// Brings a product. It is performed for the window and not on a screen: what it brings is kept when that has left.
        load: Action<Void, Product.ID, Product>.Async,
        /// Buys it, and returns when the server has confirmed that.
        purchase: Action<any ProductContext, Product.ID, Purchase>.Async,
        /// Makes it a favorite, or takes that back; what becomes of it stands among the favorites' pending mutations.
        favorite: Action<any ProductContext, FavoriteChange, Void>.Async,
        /// Gives it to somebody else.
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
        /// Whether what is shown is ahead of what the server has confirmed.
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
    /// How many changes of favorites somebody waits for.
    private var favouring = 0

    /// A screen of a product.
    ///
    /// - Parameters:
    ///   - id: which product.
    ///   - product: loads it.
    ///   - actions: what can be done.
    ///   - isForSale: whether there is more to do than to look at it.
    ///   - favorites: returns the favorites of the signed-in user; nil if no user is logged in.
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

    /// The deep link that leads here, as a path.
    public var path: String {
        "/product/" + (id.rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    /// Whether something is loading or being done.
    public var isBusy: Bool {
        product.state.isLoading || favorites?.state.isLoading == true || isPurchasing || favouring > 0
    }

    /// The product; and, if there is more to do than to look at it, whether it is a favorite, and what else can be done.
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

    /// Performs an action.
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
                // They have thought better of it: nothing was bought.
            } catch {
                self.refusal = DisplayError(explaining: error)?.message ?? "This could not be bought. Try again."
            }
            self.isPurchasing = false
        }
    }

    private func favor(_ isFavorite: Bool) {
        guard let delegate else { return }
        favouring += 1
        delegate.perform {
            // Why it failed, if it did, stands among the pending mutations, where it outlives this screen.
            try? await self.actions.favorite(self, FavoriteChange(self.id, isFavorite: isFavorite))
            self.favouring -= 1
        }
    }
}

extension ProductScreen: ProductContext {
    /// Shows the link below the buttons.
    public func show(link: String, to title: String) {
        shared = SharedModel(title: title, link: link)
    }

    /// Buys by way of the board.
    public func purchase(_ product: Product.ID) async throws -> Purchase {
        guard let delegate else { throw CancellationError() }
        return try await delegate.purchase(product)
    }

    /// Changes a favorite by way of the board.
    public func make(_ change: FavoriteChange) async throws {
        guard let delegate else { throw CancellationError() }
        try await delegate.make(change)
    }
}
