import BackplaneFeatures
import CampusModels
import Screens

/// A purchaser that prevents buying the same product twice after a lost response.
///
/// If the response to a purchase is lost, the server may have accepted it. So a retry uses the same
/// key, until the server accepts or rejects the purchase.
final class Purchaser {
    private let send: (NewPurchase, IdempotencyKey) async throws -> Purchase
    private var undecided: [Product.ID: IdempotencyKey] = [:]

    /// Creates a purchaser.
    ///
    /// - Parameter send: asks the server to sell a product, at most once for each key.
    init(send: @escaping (NewPurchase, IdempotencyKey) async throws -> Purchase) {
        self.send = send
    }

    /// Buys a product.
    ///
    /// - Throws: the error of `send`; a ``DisplayError`` that is a rejection means that the product
    ///   was not bought.
    func purchase(_ product: Product.ID) async throws -> Purchase {
        let key = undecided[product] ?? IdempotencyKey()
        undecided[product] = key
        do {
            let purchase = try await send(NewPurchase(product: product), key)
            undecided[product] = nil
            return purchase
        } catch {
            if DisplayError.isRejection(error) { undecided[product] = nil }
            throw error
        }
    }
}
