import CampusModels
import HTTPTypes
import Hummingbird

/// The routes for a user's favorites and purchases in the campus shop.
struct ShopRoutes {
    let favorites: FavoriteStore
    let purchases: PurchaseStore
    let writer: IdempotentWriter

    func add(to group: RouterGroup<SignedInContext>) {
        group.get("favorites") { _, context in
            JSON(try await favorites.favorites(of: context.user.id))
        }
        group.put("favorites/:product") { _, context -> HTTPResponse.Status in
            try await favorites.set(try Self.product(in: context), isFavorite: true, of: context.user.id)
            return .noContent
        }
        group.delete("favorites/:product") { _, context -> HTTPResponse.Status in
            try await favorites.set(try Self.product(in: context), isFavorite: false, of: context.user.id)
            return .noContent
        }
        group.get("purchases") { _, context in
            JSON(try await purchases.purchases(of: context.user.id))
        }
        group.post("purchases") { request, context in
            let request = try await WriteRequest<NewPurchase>(request, context)
            return try await writer.perform(request) { db in
                try WriteResponse(purchases.insert(request.body, of: request.user, in: db), status: .created)
            }
        }
    }

    private static func product(in context: SignedInContext) throws -> Product.ID {
        Product.ID(rawValue: try context.pathText("product"))
    }
}
