import BackplaneFeatures
import CampusModels
public import ProductModels
import Screens
public import TerminalHost

/// One product of the campus shop in a terminal.
public struct ProductTerminalFace: TerminalFace {
    private typealias Part = ProductModel.Part

    /// Creates the face.
    public init() {}

    /// The title of the product.
    public func title(of page: ProductModel) -> String { page.product.value?.title ?? "Product" }

    /// The product and, if it is for sale, the favorite and the purchases.
    public func sections(of page: ProductModel) -> [TextSection] {
        let details = TextSection(Part.product.rawValue, page.product) { product in
            [TextSection.line("description", product.description), TextSection.line("price", "\(product.price)")]
        }
        guard page.isForSale else { return [details] }
        return [details, favorite(of: page), TextSection("shop", shop(of: page))]
    }

    private func favorite(of page: ProductModel) -> TextSection {
        let id = Part.favorite.rawValue
        guard let favorites = page.favorites else { return TextSection(id, []) }
        return TextSection(id, favorites) { _ in
            var lines = page.isFavorite ? ["favorite"] : []
            if page.isFavoriteUnsaved { lines.append("unsaved") }
            return lines + TextSection.changes(page.favoriteChanges)
        }
    }

    private func shop(of page: ProductModel) -> [String] {
        var lines = page.isPurchasing ? ["purchasing"] : []
        if let onTheWay = page.onTheWay {
            lines.append(TextSection.line("on the way since", Moment(onTheWay.date).text))
        }
        if let receipt = page.receipt {
            lines.append(TextSection.line("receipt", "You have bought this for \(receipt.price)."))
        }
        if let problem = page.purchaseProblem { lines.append(TextSection.line("refusal", problem)) }
        if let shared = page.shared {
            let link = [TextSection.line("title", shared.title), TextSection.line("link", shared.link)]
            lines += ["shared:"] + link.map { "  \($0)" }
        }
        return lines
    }
}
