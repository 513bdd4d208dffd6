public import BackplaneFeatures
public import CampusModels
public import Observation
public import ProductInterface
public import Screens

/// One product, with its purchases and the user's favorites.
@Observable
public final class ProductModel: EventScreen {
    /// The actions of the screen, which does not know where products come from or who sells them.
    public struct Actions {
        /// Loads a product for the window, which keeps the product after the screen closes.
        public typealias Load = (Product.ID) async throws -> Product
        /// Buys the product, and returns when the server has confirmed the purchase.
        public typealias Buy = Action<any ProductContext, Product, Purchase>.Async
        /// Adds or removes a favorite; the pending mutations of the favorites show the outcome.
        public typealias Favor = Action<any ProductContext, FavoriteChange, Void>.Async
        /// Shares the product.
        public typealias Share = Action<ProductModel, Product, Void>.Sync

        /// Loads a product.
        public let load: Load
        let purchase: Buy?
        let favorite: Favor
        let share: Share

        /// Creates the actions; without `purchase`, users can only read about products.
        public init(
            load: @escaping Load,
            purchase: Buy? = nil,
            favorite: @escaping Favor = { _, _ in },
            share: @escaping Share = { _, _ in }
        ) {
            self.load = load
            self.purchase = purchase
            self.favorite = favorite
            self.share = share
        }
    }

    /// The favorites of the signed-in user, which the action `favorite` changes.
    public typealias Favorites = Loader<NoID, Set<Product.ID>>

    /// A part of the screen that can be loaded again; a raw value is the ID of its section.
    public enum Part: String {
        /// The product itself.
        case product
        /// The favorites of the signed-in user.
        case favorite
    }

    /// A link that the user can copy and share.
    public struct SharedLink: Hashable, Sendable {
        /// The title of the page that the link opens.
        public let title: String
        /// The link, as text.
        public let link: String
    }

    /// The ID of the product.
    public let id: Product.ID
    /// The product, which the window keeps after the screen closes.
    public let product: Loader<Product.ID, Product>
    /// Whether the user can buy, share and favor the product, not only read about it.
    public var isForSale: Bool { actions.purchase != nil }
    /// The result of the last purchase; `nil` if it has not succeeded.
    public private(set) var receipt: Purchase?
    /// The link that was shared last; `nil` if the product has not been shared.
    public private(set) var shared: SharedLink?
    private let actions: Actions
    private let findFavorites: () -> Favorites?
    private let findPurchases: () -> (any PendingPurchases)?
    @ObservationIgnored private weak var context: (any ProductContext)?
    private let purchasing: ActionPerformer
    /// Runs from the user's action until the change is among the pending ones.
    private let favoring: ActionPerformer

    /// Creates a screen of a product.
    ///
    /// - Parameters:
    ///   - id: the product's ID.
    ///   - product: the loader of the product.
    ///   - actions: the actions of the screen.
    ///   - startTask: starts a task for an action, which continues after the screen closes.
    ///   - context: the board of the screen, which is not kept alive.
    ///   - favorites: returns the favorites of the signed-in user; `nil` if no user is signed in.
    ///   - pendingPurchases: returns the purchases that continue without a screen; `nil` if no user
    ///     is signed in, or purchases end with the app.
    public init(
        id: Product.ID,
        product: Loader<Product.ID, Product>,
        actions: Actions,
        startTask: @escaping ActionPerformer.TaskStart,
        context: any ProductContext,
        favorites: @escaping () -> Favorites?,
        pendingPurchases: @escaping () -> (any PendingPurchases)? = { nil }
    ) {
        self.id = id
        self.product = product
        self.actions = actions
        purchasing = ActionPerformer(startTask: startTask)
        favoring = ActionPerformer(startTask: startTask)
        self.context = context
        findFavorites = favorites
        findPurchases = pendingPurchases
    }

    /// The deep link of the product, as a path.
    public var path: String { ProductPage.path(of: id) }

    /// Whether something is loading or an action is running.
    public var isBusy: Bool {
        product.state.isLoading || favorites?.state.isLoading == true || isPurchasing || favoring.isPerforming
            || favorites?.pending.isBusy == true
    }

    /// Whether this screen waits for a purchase.
    public var isPurchasing: Bool { purchasing.isPerforming }

    /// When the user bought the product, if the purchase is on its way to the server; `nil` if none
    /// is.
    public var onTheWay: Timestamp? { findPurchases()?.date(of: id) }

    /// The number under which the page offers the product, and which buys it once; `nil` if each
    /// press buys.
    public var order: String? { findPurchases()?.order(of: id) }

    /// Whether the user can buy the product; not before its price shows, and not while a purchase
    /// of it is on its way.
    public var canBuy: Bool { product.value != nil && !isPurchasing && onTheWay == nil }

    /// The reason why the last purchase failed, as a text for the user; `nil` if it has not failed.
    public var purchaseProblem: String? {
        purchasing.error.map { DisplayError.message(of: $0, else: "This could not be bought. Try again.") }
    }

    /// Whether there is no such product.
    public var isMissing: Bool { product.state.isMissing }

    /// The favorites of the signed-in user; `nil` if no user is signed in.
    public var favorites: Favorites? { findFavorites() }

    /// Whether the product is a favorite, also if the server has not confirmed it yet.
    public var isFavorite: Bool { favorites?.value?.contains(id) ?? false }

    /// Whether the server has not confirmed ``isFavorite`` yet.
    public var isFavoriteUnsaved: Bool { favoriteChanges.contains { $0.status != .failed } }

    /// The changes of ``isFavorite`` that the server has not confirmed, or has rejected.
    public var favoriteChanges: [PendingMutation] {
        favorites?.pending(of: id) ?? []
    }

    /// Loads a part again after a failure.
    public func retry(_ part: Part) {
        switch part {
        case .product: product.retry()
        case .favorite: favorites?.retry()
        }
    }

    /// Buys the product, if it can be bought now.
    public func buy() {
        guard canBuy, let product = product.value, let purchase = actions.purchase else { return }
        receipt = nil
        EventEffects.current?.begin()
        purchasing.perform {
            defer { EventEffects.current?.end() }
            self.receipt = try await purchase(try self.board, product)
        }
    }

    /// Adds the product to the favorites, or removes it.
    public func setFavorite(_ isFavorite: Bool) {
        // A failure is among the pending mutations, which outlive this screen.
        let change = FavoriteChange(id, isFavorite: isFavorite)
        guard !favoring.isPerforming else { return }
        EventEffects.current?.begin()
        favoring.perform {
            defer { EventEffects.current?.end() }
            try await self.actions.favorite(try self.board, change)
        }
    }

    /// The board, for an action; without it nothing happens.
    private var board: any ProductContext {
        get throws {
            guard let context else { throw CancellationError() }
            return context
        }
    }

    /// Removes the rejected change of the favorites with this ID, after the user has read the
    /// reason.
    public func dismiss(change id: String) {
        favorites?.dismiss(change: id)
    }

    /// Resends the unconfirmed changes of the favorites.
    public func resend() {
        favorites?.retryPending()
    }

    /// Shows all products.
    public func openShop() {
        context?.openShop()
    }

    /// Lets the user write a message about the product, if it has loaded.
    public func ask() {
        if let product = product.value { context?.ask(about: product.title) }
    }

    /// Shares the product, if it has loaded.
    public func share() {
        if let product = product.value { actions.share(self, product) }
    }

    /// Shows a link that the user can copy and share, in place of an earlier one.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - title: the title of the page that the link opens.
    public func show(link: String, to title: String) {
        shared = SharedLink(title: title, link: link)
    }
}

extension ProductModel {
    /// The actions of the user, by the names that forms and commands have.
    public enum Event: String, CaseIterable {
        /// Buys the product.
        case purchase
        /// Adds the product to the favorites.
        case favorite
        /// Removes the product from the favorites.
        case unfavorite
        /// Starts a message about the product.
        case ask
        /// Shares the product.
        case share
        /// Shows all products.
        case shop
        /// Loads the part in the field `section` again after a failure; otherwise the product.
        case retry
        /// Removes the rejected change in the field `change`.
        case dismiss
        /// Resends the unconfirmed changes.
        case resend
    }

    /// Performs an action of the user; fields that are missing or malformed change nothing.
    public func perform(_ event: Event, _ fields: EventFields) {
        switch event {
        case .purchase: buy()
        case .favorite: setFavorite(true)
        case .unfavorite: setFavorite(false)
        case .ask: ask()
        case .share: share()
        case .shop: openShop()
        case .retry: retry(fields.value("section", as: Part.self) ?? .product)
        case .dismiss: if let change = fields["change"] { dismiss(change: change) }
        case .resend: resend()
        }
    }
}
