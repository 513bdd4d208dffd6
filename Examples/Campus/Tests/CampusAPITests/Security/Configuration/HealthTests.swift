import BackplaneTesting
import CampusModels
import Foundation
import GRDB
import ServiceLifecycle
import Testing

@testable import CampusAPI

@Suite(.timeLimit(.minutes(5)))
struct HealthTests {
    @Test(arguments: [
        "ALTER TABLE user RENAME TO people",
        // As SQLite refuses a change while the disk is full.
        "CREATE TRIGGER full BEFORE INSERT ON writeCheck BEGIN SELECT raise(ABORT, 'disk full'); END",
    ])
    func `a server that cannot read or write its database is live but not ready`(_ damage: String) async throws {
        try await withTemporaryDirectory { directory in
            var configuration = testConfiguration(in: directory)
            let clock = ManualClock()
            configuration.clock = clock
            try await withAPI(configuration) { api in
                #expect(try await api.get("/health/ready").status == 200)
                try await DatabaseQueue(path: configuration.databasePath).write { try $0.execute(sql: damage) }
                #expect(try await api.get("/health/ready").status == 200, "an answer is kept for a second")
                clock.advance(by: .seconds(1))
                for path in ["/health/ready", "/health"] {
                    let answer = try await api.get(path)
                    #expect(answer.status == 503)
                    #expect(try answer.error.code == .unavailable)
                }
                #expect(try await api.get("/health/live").status == 200)
            }
        }
    }

    @Test func `a server whose database was deleted is not ready, and a check leaves nothing behind`() async throws {
        try await withTemporaryDirectory { directory in
            var configuration = testConfiguration(in: directory)
            let clock = ManualClock()
            configuration.clock = clock
            try await withAPI(configuration) { api in
                #expect(try await api.get("/health/ready").status == 200)
                let left = try await DatabaseQueue(path: configuration.databasePath).read { db in
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM writeCheck")
                }
                #expect(left == 0)
                try FileManager.default.removeItem(atPath: configuration.databasePath)
                clock.advance(by: .seconds(1))
                #expect(try await api.get("/health/ready").status == 503)
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
