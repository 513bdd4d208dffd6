import CampusAPI
import Logging

/// Runs an API server in this process beside `body`, which starts when the server answers.
///
/// The end of one, by shutdown or by an error, is the end of both.
///
/// - Parameters:
///   - configuration: where the server listens and what with.
///   - logger: receives a line for each request.
///   - body: what to do meanwhile.
/// - Throws: what ends the server or `body`.
func withAPI(
    _ configuration: CampusAPIServer.Configuration,
    logger: Logger,
    _ body: @escaping @Sendable (CampusAPIServer.Address) async throws -> Void
) async throws {
    let (addresses, ready) = AsyncStream<CampusAPIServer.Address>.makeStream()
    let server = CampusAPIServer(configuration: configuration, logger: logger) { ready.yield($0) }
    try await withThrowingTaskGroup { group in
        group.addTask {
            // Ends the wait below also when the server does not come up.
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
