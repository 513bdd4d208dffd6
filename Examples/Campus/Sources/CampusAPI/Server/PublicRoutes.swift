import CampusModels
import GRDB
import Hummingbird

/// What anybody may ask: whether the server is well, and what the campus shop has.
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
