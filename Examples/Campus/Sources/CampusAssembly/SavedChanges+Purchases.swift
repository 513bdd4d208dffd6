import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import CampusModels
import CampusNetworking
import Foundation
import ProductModels
import Screens

extension SavedChanges: PendingPurchases {
    func date(of product: Product.ID) -> Timestamp? {
        operations.first { $0.isPurchase(of: product) && !$0.state.isParked }.map { Timestamp($0.createdAt) }
    }

    func order(of product: Product.ID) -> String { numbers.next(of: product) }

    /// Buys a product, and returns when the server has confirmed the purchase.
    ///
    /// If the wait ends earlier, because the window closes or the process ends, the purchase is
    /// still made.
    func purchase(_ product: Product.ID) async throws -> Purchase {
        // A purchase that the server has refused would keep this one waiting.
        for refused in operations where refused.isPurchase(of: product) && refused.isRefused {
            try await perform { _ = try await self.outbox.discard(refused.id) }
        }
        await orders.noteOrder(of: product)
        let saved: SavedOperation<Purchase> = try await perform {
            try await self.outbox.enqueue(
                .purchase(NewPurchase(product: product)),
                of: .purchases,
                entity: OutboxOperation.entity(of: product),
                label: product.rawValue,
                key: .ofEvent ?? IdempotencyKey()
            )
        }
        // The server may be away for long.
        EventEffects.current?.end()
        do {
            let purchase = try await saved.response()
            try? await update()
            // Without a response, another process has received it.
            guard let purchase else { throw CancellationError() }
            return purchase
        } catch let failure as OutboxFailure {
            // The user reads the reason now, and decides by buying again.
            try? await perform { _ = try await self.outbox.discard(saved.id) }
            throw DisplayError(failure.operation.reason ?? "The campus server refuses this.")
        } catch is StorageError {
            // It was discarded, for example in another window.
            throw CancellationError()
        } catch is NetworkError {
            throw DisplayError("You have bought this, but the receipt cannot be read.")
        }
    }
}

extension IdempotencyKey {
    /// The key for the only change of its kind that the current event makes; `nil` outside of an
    /// event.
    ///
    /// A repeated event has the same key, also after a crash, and so it makes no second change.
    static var ofEvent: IdempotencyKey? { ScreenEvent.identity.flatMap { IdempotencyKey($0.uuidString) } }
}

extension OutboxOperation {
    fileprivate static func entity(of product: Product.ID) -> String { "purchases/\(product)" }

    fileprivate func isPurchase(of product: Product.ID) -> Bool { entity == Self.entity(of: product) }

    /// Whether the server has definitely not carried it out.
    fileprivate var isRefused: Bool { state == .refused || state == .conflict }
}
