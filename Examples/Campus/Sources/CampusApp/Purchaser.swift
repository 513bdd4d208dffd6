import BackplaneFeatures
import CampusModels
import Screens

/// Buys things, and is careful not to buy them twice.
///
/// A purchase whose answer was lost may have been made. So whoever tries again does so with the same key, until the server has
/// said yes or no.
final class Purchaser {
    private let send: (NewPurchase, IdempotencyKey) async throws -> Purchase
    private var undecided: [Product.ID: IdempotencyKey] = [:]

    /// A purchaser.
    ///
    /// - Parameter send: asks the server to sell something, once for each key.
    init(send: @escaping (NewPurchase, IdempotencyKey) async throws -> Purchase) {
        self.send = send
    }

    /// Buys a product.
    ///
    /// - Throws: what `send` throws; a ``DisplayError`` that is a rejection says that it was not bought.
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
