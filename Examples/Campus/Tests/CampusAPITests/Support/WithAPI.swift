import CampusAPI
import Foundation
import Logging
import ServiceLifecycle

/// Runs `body` with an API on a free port and a new database, and shuts the API down afterwards.
func withAPI<Value>(
    configure: (inout CampusAPIServer.Configuration) -> Void = { _ in },
    logger: Logger = silentLogger,
    securityLogger: Logger = silentLogger,
    _ body: (APIClient) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { directory in
        var configuration = testConfiguration(in: directory)
        configure(&configuration)
        return try await withAPI(configuration, logger: logger, securityLogger: securityLogger, body)
    }
}

/// Runs `body` with an API as configured, and shuts the API down afterwards.
func withAPI<Value>(
    _ configuration: CampusAPIServer.Configuration,
    logger: Logger = silentLogger,
    securityLogger: Logger = silentLogger,
    _ body: (APIClient) async throws -> Value
) async throws -> Value {
    let (addresses, continuation) = AsyncStream.makeStream(of: CampusAPIServer.Address.self)
    let server = CampusAPIServer(configuration: configuration, logger: logger, securityLogger: securityLogger) {
        continuation.yield($0)
    }
    let services = ServiceGroup(configuration: .init(services: [server], logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { continuation.finish() }
            try await services.run()
        }
        guard let address = await addresses.first(where: { _ in true }) else {
            try await group.waitForAll()
            throw CancellationError()
        }
        do {
            let value = try await body(APIClient(url: address.url))
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            return value
        } catch {
            await services.triggerGracefulShutdown()
            throw error
        }
    }
}

/// Returns the configuration of an API on a free port with passwords that are quick to check.
func testConfiguration(in directory: URL) -> CampusAPIServer.Configuration {
    var configuration = CampusAPIServer.Configuration(databasePath: directory.appending(path: "api.sqlite").path)
    configuration.port = 0
    configuration.passwordCost = PasswordCost(logRounds: 8)
    return configuration
}

/// Runs `body` with a directory that is removed afterwards.
func withTemporaryDirectory<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let directory = URL.temporaryDirectory.appending(path: "campus-api-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}

let silentLogger = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
