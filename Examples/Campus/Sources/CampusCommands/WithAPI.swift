import CampusAPI
import Logging

/// Runs an API server in this process, and runs `body` after the server is ready.
///
/// When one of them ends, by shutdown or by an error, both end.
///
/// - Parameters:
///   - configuration: the address and the settings of the server.
///   - logger: receives a line for each request.
///   - securityLogger: receives a line for each event that matters for security.
///   - body: the work to do while the server runs.
/// - Throws: the error that ended the server or `body`.
func withAPI(
    _ configuration: CampusAPIServer.Configuration,
    logger: Logger,
    securityLogger: Logger,
    _ body: @escaping @Sendable (CampusAPIServer.Address) async throws -> Void
) async throws {
    let (addresses, ready) = AsyncStream<CampusAPIServer.Address>.makeStream()
    let server = CampusAPIServer(configuration: configuration, logger: logger, securityLogger: securityLogger) {
        ready.yield($0)
    }
    try await withThrowingTaskGroup { group in
        group.addTask {
            // This also ends the wait below if the server fails to start.
            defer { ready.finish() }
            try await server.run()
        }
        for await address in addresses {
            group.addTask { try await body(address) }
            break
        }
        try await group.next()
        group.cancelAll()
        try await group.waitForAll()
    }
}
