import CampusModels
import GRDB
import Hummingbird

/// The routes that need no access token: the health check and the catalog of the campus shop.
struct PublicRoutes {
    let pool: DatabasePool
    let catalog: CatalogStore

    func add(to group: RouterGroup<APIContext>) {
        group.get("health") { _, _ in
            _ = try await pool.read { try Int.fetchOne($0, sql: "SELECT 1") }
            return JSON(["status": "ok"])
        }
        group.get("catalog") { _, _ in
            JSON(try await catalog.products())
        }
        group.get("catalog/:id") { _, context in
            JSON(try await catalog.product(Product.ID(rawValue: try context.parameters.require("id"))))
        }
    }
}
