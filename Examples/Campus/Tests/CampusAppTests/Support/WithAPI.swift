import BackplaneAsyncHTTPClient
import BackplaneNetworking
import CampusAPI
import CampusAccounts
import CampusModels
import Foundation
import Logging
import ServiceLifecycle

@testable import CampusApp
@testable import CampusAssembly

/// A transport as the executable `campus` has it.
var transport: any NetworkTransport { AsyncHTTPClientTransport() }

/// A test's own API server, with a log of its exchanges.
struct TestAPI: Sendable {
    let url: URL
    private let exchanges: AsyncStream<String>
    private let exchange: AsyncStream<String>.Continuation

    fileprivate init(url: URL) {
        self.url = url
        (exchanges, exchange) = AsyncStream.makeStream()
    }

    /// Returns a session over `vault`, for a new or a returning user.
    func session(
        _ vault: any TokenVault,
        on clock: any Clock<Duration> = ContinuousClock()
    ) throws -> CampusSession {
        CampusSession(service: try service(on: clock), vault: vault)
    }

    /// Returns a controller of the API, whose exchanges are in the log.
    func service(on clock: any Clock<Duration> = ContinuousClock()) throws -> NonAuthenticatedNetworkController {
        try CampusApp.service(at: url, over: transport, clock: clock) { [exchange] line in exchange.yield(line) }
    }

    /// Returns an account of Ada on another device, whose exchanges are not in the log.
    func anotherDevice() async throws -> any Account {
        try await CampusSession(service: try CampusApp.service(at: url, over: transport)).signIn(with: DemoUsers.ada) {}
    }

    /// Replaces the faults of the API, which must have been started with faults.
    func inject(_ faults: String) async throws {
        let change = NonAuthenticatedEndpoint<Void>(.post("_faults", body: .json(FaultsRequest(faults: faults))))
        try await CampusApp.service(at: url, over: transport).request(change)
    }

    /// Ends the log and returns a line for each exchange.
    ///
    /// No exchange may follow.
    func log() async -> [String] {
        exchange.finish()
        return await exchanges.reduce(into: []) { $0.append($1) }
    }
}

/// Runs `body` with an API on a free port and a new database.
func withAPI(
    _ configure: (inout CampusAPIServer.Configuration) -> Void = { _ in },
    _ body: (TestAPI) async throws -> Void
) async throws {
    try await withTemporaryDirectory { try await withAPI(in: $0, configure, body) }
}

/// Runs `body` with a directory that is removed afterwards.
func withTemporaryDirectory(_ body: (URL) async throws -> Void) async throws {
    let directory = URL.temporaryDirectory.appending(path: "campus-app-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory)
}

/// Runs `body` with an API on a free port whose database is in `directory`.
func withAPI(
    in directory: URL,
    _ configure: (inout CampusAPIServer.Configuration) -> Void = { _ in },
    _ body: (TestAPI) async throws -> Void
) async throws {
    var configuration = CampusAPIServer.Configuration(databasePath: directory.appending(path: "api.sqlite").path)
    configuration.port = 0
    configuration.passwordCost = PasswordCost(logRounds: 8)
    configure(&configuration)

    let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
    let (addresses, continuation) = AsyncStream.makeStream(of: CampusAPIServer.Address.self)
    let server = CampusAPIServer(configuration: configuration, logger: silent, securityLogger: silent) {
        continuation.yield($0)
    }
    let running = Task {
        defer { continuation.finish() }
        try await server.run()
    }
    for await address in addresses {
        let result: Result<Void, any Error>
        do {
            guard let url = URL(string: address.url) else { throw CancellationError() }
            try await body(TestAPI(url: url))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        running.cancel()
        _ = await running.result
        return try result.get()
    }
    try await running.value
}
