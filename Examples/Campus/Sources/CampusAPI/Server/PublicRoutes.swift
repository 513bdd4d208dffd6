import CampusModels
import Hummingbird

/// The routes of the catalog of the campus shop, which need no access token.
struct PublicRoutes {
    let catalog: CatalogStore

    func add(to group: RouterGroup<APIContext>) {
        group.get("catalog") { _, _ in
            JSON(try await catalog.products())
        }
        group.get("catalog/:id") { _, context in
            JSON(try await catalog.product(Product.ID(rawValue: try context.pathText("id"))))
        }
    }
}
