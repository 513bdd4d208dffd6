import BackplaneFeatures
import CampusModels
import CatalogInterface
public import ProductModels
import Screens
public import WebHost

/// One product of the campus shop in a browser.
public struct ProductWebFace: WebFace {
    private typealias Part = ProductModel.Part

    struct Missing: Sendable {
        let shop: String
    }

    struct Details: Sendable {
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
        let canBuy: Bool
        let onTheWay: Moment?
        let receipt: String?
        let refusal: String?
        let shared: ProductModel.SharedLink?
        let order: String?
    }

    /// The templates of the sections.
    public let templates = [
        "product": WebTemplate(PackageResources.product_mustache),
        "product/favorite": WebTemplate(PackageResources.favorite_mustache),
        "product/shop": WebTemplate(PackageResources.shop_mustache),
        "product/missing": WebTemplate(PackageResources.missing_mustache),
    ]

    /// Creates the face.
    public init() {}

    /// The title of the product.
    public func title(of page: ProductModel) -> String {
        page.isMissing ? "Product not found" : page.product.value?.title ?? "Product"
    }

    /// The way back, the product and, if it is for sale, the favorite and the shop sections.
    public func sections(of page: ProductModel) -> [Section] {
        // A section without a product is not worth a retry.
        if page.isMissing {
            return [Section(id: "missing", template: "product/missing") { Missing(shop: Catalog.path) }]
        }
        let details = Section(id: Part.product.rawValue, template: "product", loader: page.product) {
            Details(description: $0.description, price: "\($0.price)")
        }
        let breadcrumb = Section.breadcrumb(BarEntry("Campus shop", path: Catalog.path)) { title(of: page) }
        guard page.isForSale else { return [breadcrumb, details] }
        return [breadcrumb, details, favorite(of: page), shop(of: page)]
    }

    private func favorite(of page: ProductModel) -> Section {
        let (id, template) = (Part.favorite.rawValue, "product/favorite")
        guard let favorites = page.favorites else {
            return Section(id: id, template: template) {
                LoadModel(section: id, value: FavoriteModel(isFavorite: false, isUnsaved: false, changes: nil))
            }
        }
        return Section(id: id, template: template, loader: favorites) { _ in
            FavoriteModel(
                isFavorite: page.isFavorite,
                isUnsaved: page.isFavoriteUnsaved,
                changes: ChangeModel(page.favoriteChanges)
            )
        }
    }

    private func shop(of page: ProductModel) -> Section {
        Section(id: "shop", template: "product/shop") {
            ShopModel(
                isPurchasing: page.isPurchasing,
                canBuy: page.canBuy,
                onTheWay: page.onTheWay.map { Moment($0.date) },
                receipt: page.receipt.map { "You have bought this for \($0.price)." },
                refusal: page.purchaseProblem,
                shared: page.shared,
                order: page.order
            )
        }
    }
}
