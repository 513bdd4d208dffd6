import GRDB
import Hummingbird
import Logging

/// The routes by which a supervisor of the server sees its health.
///
/// `/health/live` responds while the process runs: if it does not, restart the process.
/// `/health/ready` responds with 503 while the database does not: send no requests until it does.
/// `/health` is another name of it.
struct HealthRoutes {
    let pool: DatabasePool

    func add(to group: RouterGroup<APIContext>) {
        group.get("health/live") { _, _ in JSON(["status": "ok"]) }
        group.get("health/ready", use: ready)
        group.get("health", use: ready)
    }

    @Sendable private func ready(_ request: Request, context: APIContext) async throws -> JSON<[String: String]> {
        do {
            // Without a table, SQLite would not read the file.
            _ = try await pool.read { try Int.fetchOne($0, sql: "SELECT 1 FROM user LIMIT 1") }
        } catch {
            context.logger.error("The database does not answer", metadata: ["error": "\(error)"])
            throw APIFailure.unavailable
        }
        return JSON(["status": "ok"])
    }
}
