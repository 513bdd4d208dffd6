import CampusModels
import Foundation
import GRDB

/// A store of the users' purchases.
struct PurchaseStore: Sendable {
    let pool: DatabasePool
    let catalog: CatalogStore

    /// Returns the purchases of `user`, newest first.
    func purchases(of user: User.ID) async throws -> [Purchase] {
        try pool.readHere { db in
            try Row.fetchAll(
                db.cachedStatement(sql: "SELECT * FROM purchase WHERE userID = ? ORDER BY rowid DESC"),
                arguments: [user.rawValue]
            ).map { row in
                Purchase(
                    id: Purchase.ID(rawValue: row["id"]),
                    product: Product.ID(rawValue: row["productID"]),
                    price: Price(cents: row["priceInCents"])
                )
            }
        }
    }

    /// Stores a purchase by `user` at the current price.
    ///
    /// - Throws: status 404 if there is no such product.
    func insert(_ new: NewPurchase, of user: User.ID, in db: Database) throws -> Purchase {
        let product = try catalog.product(new.product, in: db)
        let id = Purchase.ID(rawValue: UUID().uuidString.lowercased())
        try db.execute(
            sql: "INSERT INTO purchase (id, userID, productID, priceInCents) VALUES (?, ?, ?, ?)",
            arguments: [id.rawValue, user.rawValue, product.id.rawValue, product.price.cents]
        )
        return Purchase(id: id, product: product.id, price: product.price)
    }
}
