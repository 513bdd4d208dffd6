import Hummingbird
import Logging
import ServerLimits

/// The routes by which a supervisor of the server sees its health.
///
/// `/health/live` responds while the process runs: if it does not, restart the process.
/// `/health/ready` responds with 503 while the database cannot be read or written: send no requests
/// until it can. `/health` is another name of it.
struct HealthRoutes {
    private let readiness: Readiness

    init(database: CampusDatabase, clock: any Clock<Duration>) {
        readiness = Readiness(Stopwatch(clock)) {
            do {
                try await database.check()
                return nil
            } catch {
                return "\(error)"
            }
        }
    }

    func add(to group: RouterGroup<APIContext>) {
        group.get("health/live") { _, _ in JSON(["status": "ok"]) }
        group.get("health/ready", use: ready)
        group.get("health", use: ready)
    }

    @Sendable private func ready(_ request: Request, context: APIContext) async throws -> JSON<[String: String]> {
        if let problem = await readiness.problem {
            context.logger.error("The database does not work", metadata: ["error": "\(problem)"])
            throw APIFailure.unavailable
        }
        return JSON(["status": "ok"])
    }
}
