import GRDB
import Hummingbird

/// What anybody may ask: whether the server is well, and which courses there are.
struct PublicRoutes {
    let pool: DatabasePool
    let courses: CourseStore

    func add(to group: RouterGroup<APIContext>) {
        group.get("health") { _, _ in
            _ = try await pool.read { try Int.fetchOne($0, sql: "SELECT 1") }
            return JSON(["status": "ok"])
        }
        group.get("catalogue") { _, _ in
            JSON(try await courses.catalogue())
        }
    }
}
