import CampusModels
import Foundation

/// The numbers of the next orders of a session, one for each product.
///
/// A page offers to buy under a number, and each number buys once. So all presses on pages that
/// were drawn before a purchase are one purchase, however many tabs there are. A page that was
/// drawn after it offers another number.
actor PurchaseOrders {
    /// The numbers as they were at some time.
    struct Numbers: Sendable {
        private let session = UUID()
        fileprivate var counts: [Product.ID: Int] = [:]

        /// Returns the number under which a product can be bought next.
        func next(of product: Product.ID) -> String { "\(session).\(counts[product] ?? 0)" }
    }

    /// The numbers before the first purchase.
    nonisolated let first: Numbers
    /// The numbers now.
    private(set) var numbers: Numbers

    init() {
        first = Numbers()
        numbers = first
    }

    /// Notes that a product is bought, so that later pages offer another number.
    func noteOrder(of product: Product.ID) { numbers.counts[product, default: 0] += 1 }
}
