import BackplaneTesting
import CampusModels
import GRDB
import ServiceLifecycle
import Testing

@testable import CampusAPI

@Suite(.timeLimit(.minutes(5)))
struct HealthTests {
    @Test func `a server without a usable database is live but not ready`() async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            try await withAPI(configuration) { api in
                #expect(try await api.get("/health/ready").status == 200)
                try await DatabaseQueue(path: configuration.databasePath).write { db in
                    try db.execute(sql: "ALTER TABLE user RENAME TO people")
                }
                for path in ["/health/ready", "/health"] {
                    let answer = try await api.get(path)
                    #expect(answer.status == 503)
                    #expect(try answer.error.code == .unavailable)
                }
                #expect(try await api.get("/health/live").status == 200)
            }
        }
    }

    @Test func `a request in progress is completed during a shutdown`() async throws {
        let latch = AsyncLatch()
        let login = try await withAPI {
            $0.checkPassword = { password, hash in
                await withGracefulShutdownHandler {
                    await latch.wait()
                } onGracefulShutdown: {
                    latch.open()
                }
                return try hash.matches(password)
            }
        } _: { api in
            let login = Task { try await api.post("/login", DemoUsers.ada).status }
            await latch.arrivals(atLeast: 1)
            return login
        }
        #expect(try await login.value == 200)
    }
}
