import BackplaneFeatures
import CampusModels
public import ProductModels
import Screens
public import TerminalHost

/// One product of the campus shop in a terminal.
public struct ProductTerminalFace: TerminalFace {
    /// The commands of the screen.
    public enum Command: String, CaseIterable {
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
        /// Loads the product again after a failure, or the favorites with `section=favorite`.
        case retry
        /// Takes the argument `change`, the ID of a rejected change.
        case dismiss
        /// Resends the unconfirmed changes.
        case resend
    }

    /// The sections that can be loaded again.
    private enum Part: String {
        case product
        case favorite
    }

    /// Creates the face.
    public init() {}

    /// The title of the product.
    public func title(of page: ProductModel) -> String { page.product.value?.title ?? "Product" }

    /// The product and, if it is for sale, the favorite and the purchases.
    public func sections(of page: ProductModel) -> [TextSection] {
        let details = TextSection("product", page.product) { product in
            [line("description", product.description), line("price", "\(product.price)")]
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
            if let changes = ChangeModel(page.favoriteChanges) { lines += self.lines(of: changes) }
            return lines
        }
    }

    private func lines(of changes: ChangeModel) -> [String] {
        let refusals = changes.refusals.map { "    - \($0.id) · \($0.reason)" }
        let heading = refusals.isEmpty ? "  refusals: none" : "  refusals:"
        return ["changes:", heading] + refusals + (changes.isUnanswered ? ["  unanswered"] : [])
    }

    private func shop(of page: ProductModel) -> [String] {
        var lines = page.isPurchasing ? ["purchasing"] : []
        if let receipt = page.receipt { lines.append(line("receipt", "You have bought this for \(receipt.price).")) }
        if let problem = page.problem {
            let message = DisplayError(explaining: problem)?.message ?? "This could not be bought. Try again."
            lines.append(line("refusal", message))
        }
        if let shared = page.shared {
            lines += ["shared:", "  " + line("title", shared.title), "  " + line("link", shared.link)]
        }
        return lines
    }

    private func line(_ name: String, _ text: String) -> String { text.isEmpty ? "\(name):" : "\(name): \(text)" }

    /// Performs a command.
    public func handle(_ command: Command, _ arguments: TerminalArguments, on page: ProductModel) {
        switch command {
        case .purchase: page.buy()
        case .favorite: page.setFavorite(true)
        case .unfavorite: page.setFavorite(false)
        case .ask: page.ask()
        case .share: page.share()
        case .retry:
            switch arguments.value("section", as: Part.self) {
            case .favorite: page.favorites?.retry()
            case .product, nil: page.product.retry()
            }
        case .dismiss:
            let changes = page.favorites?.pending ?? []
            for change in changes where "\(change.id)" == arguments["change"] { page.dismiss(change.id) }
        case .resend: page.resend()
        }
    }
}
