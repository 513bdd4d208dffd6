import CampusAPI
import CampusModels
import CampusTestSupport
import Foundation
import GRDB
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ServerTests {
    @Test func `a healthy server passes the health check`() async throws {
        try await withAPI { api in
            let answer = try await api.get("/health")
            #expect(answer.status == 200)
            #expect(try answer.decoded() == ["status": "ok"])
            #expect(answer.header("Content-Type") == ["application/json; charset=utf-8"])
        }
    }

    @Test func `a new server on the same file keeps the sessions and does not seed the data again`() async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            let tokens = try await withAPI(configuration) { try await $0.signIn(DemoUsers.ada) }
            try await withAPI(configuration) { api in
                let courses: [Course] = try await api.get("/courses", token: tokens.accessToken).decoded()
                #expect(courses.count == 3)
                #expect(try await api.refresh(tokens.refreshToken).status == 200)
            }
        }
    }

    @Test func `after a shutdown, a copy of the file alone has all data`() async throws {
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            try await withAPI(configuration) { _ = try await $0.signIn(DemoUsers.ada) }
            let copy = directory.appending(path: "copy.sqlite")
            try FileManager.default.copyItem(at: URL(filePath: configuration.databasePath), to: copy)
            let sessions = try await DatabaseQueue(path: copy.path).read { database in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM session")
            }
            #expect(sessions == 1)
        }
    }

    @Test func `a file keeps its passwords when the password cost changes`() async throws {
        try await withTemporaryDirectory { directory in
            var configuration = testConfiguration(in: directory)
            try await withAPI(configuration) { _ in }
            configuration.passwordCost.logRounds += 1
            try await withAPI(configuration) { _ = try await $0.signIn(DemoUsers.ada) }
        }
    }

    @Test func `the error for a taken port names the port and the option to change it`() async throws {
        try await withAPI { api in
            let port = try #require(URL(string: api.url)?.port)
            let error = await #expect(throws: CampusAPIError.self) {
                try await withAPI {
                    $0.port = port
                } _: { _ in
                    Issue.record("A second server listens on the taken port.")
                }
            }
            #expect(error?.code == .portTaken)
            #expect(error?.message.contains("Port \(port) on 127.0.0.1") == true)
            #expect(error?.message.contains("--port") == true)
        }
    }

    @Test func `a server cannot listen on the address of another machine`() async throws {
        // 192.0.2.0/24 is for documentation: no machine has an address in it.
        let error = await #expect(throws: CampusAPIError.self) {
            try await withAPI {
                $0.host = "192.0.2.1"
            } _: { _ in
                Issue.record("The server listens on an address of another machine.")
            }
        }
        #expect(error?.code == .cannotListen)
        #expect(error?.message.contains("192.0.2.1") == true)
    }

    @Test func `the error for an unusable database names its file`() async throws {
        let error = await #expect(throws: CampusAPIError.self) {
            try await withAPI {
                $0.databasePath = "/nowhere/api.sqlite"
            } _: { _ in
                Issue.record("The server runs without a usable database.")
            }
        }
        #expect(error?.code == .databaseUnavailable)
        #expect(error?.message.contains("'/nowhere/api.sqlite'") == true)
    }

    @Test func `a cancelled server ends and releases its port`() async throws {
        try await withTemporaryDirectory { directory in
            let (addresses, continuation) = AsyncStream.makeStream(of: CampusAPIServer.Address.self)
            var configuration = testConfiguration(in: directory)
            let server = CampusAPIServer(
                configuration: configuration,
                logger: silentLogger,
                securityLogger: silentLogger
            ) { continuation.yield($0) }
            let run = Task { try await server.run() }
            let address = try #require(await addresses.first { _ in true })
            run.cancel()
            _ = await run.result
            configuration.port = address.port
            try await withAPI(configuration) { api in
                #expect(api.url == address.url)
            }
        }
    }

    @Test func `the file contains no tokens and no passwords`() async throws {
        try await withTemporaryDirectory { directory in
            try await withAPI(testConfiguration(in: directory)) { api in
                let first = try await api.signIn(DemoUsers.ada)
                let second: TokensResponse = try await api.refresh(first.refreshToken).decoded()
                let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
                let bytes = try files.reduce(into: Data()) { $0 += try Data(contentsOf: $1) }
                #expect(bytes.range(of: Data(DemoUsers.ada.email.utf8)) != nil)
                for secret in [
                    first.accessToken, first.refreshToken, second.accessToken, second.refreshToken,
                    DemoUsers.ada.password,
                ] {
                    #expect(bytes.range(of: Data(secret.utf8)) == nil)
                }
            }
        }
    }

    @Test func `an internal error is logged, and its response has no details`() async throws {
        let log = LogCapture()
        try await withTemporaryDirectory { directory in
            let configuration = testConfiguration(in: directory)
            try await withAPI(configuration, logger: log.logger) { api in
                let token = try await api.signIn(DemoUsers.ada).accessToken
                try await DatabaseQueue(path: configuration.databasePath).write { try $0.drop(table: "todoState") }
                let answer = try await api.get("/courses/abc123/todos", token: token)
                #expect(answer.status == 500)
                #expect(try answer.error.code == .internalError)
                #expect(try !answer.error.message.contains("todoState"))
            }
        }
        let lines = await log.finish()
        #expect(lines.contains { $0.hasPrefix("error") && $0.contains("no such table: todoState") })
    }

    @Test(
        arguments: [
            ("", "The body is not valid JSON."),
            ("{", "The body is not valid JSON."),
            ("\u{0}\u{1}", "The body is not valid JSON."),
            ("[]", "The body has the wrong type."),
            (#"{"email": "ada@campus.example"}"#, "'password' of the body is missing."),
            (#"{"email": null, "password": ""}"#, "'email' of the body is null."),
            (#"{"email": 1, "password": "hunter2"}"#, "'email' of the body has the wrong type."),
        ]
    )
    func `the error for a malformed body has the reason but not the content`(
        body: String,
        message: String
    ) async throws {
        try await withAPI { api in
            let answer = try await api.post("/login", text: body)
            #expect(answer.status == 400)
            #expect(try answer.error == APIError(code: .badRequest, message: message))
        }
    }

    @Test func `a body that is too large is refused`() async throws {
        try await withAPI { api in
            let login = LoginRequest(email: "ada@campus.example", password: String(repeating: "x", count: 20_000))
            let answer = try await api.post("/login", login)
            #expect(answer.status == 413)
            #expect(try answer.error.code == .contentTooLarge)
        }
    }

    @Test(arguments: ["/", "/nowhere", "/courses/abc123/nowhere", "/login"])
    func `an unknown path gets a typed error response`(path: String) async throws {
        try await withAPI { api in
            let answer = try await api.get(path)
            #expect(answer.status == 404)
            #expect(try answer.error.code == .notFound)
        }
    }

    @Test func `the log has a line for each request but no passwords, tokens or bodies`() async throws {
        let log = LogCapture()
        let secrets = try await withAPI(logger: log.logger) { api in
            let first = try await api.signIn(DemoUsers.ada)
            let second: TokensResponse = try await api.refresh(first.refreshToken).decoded()
            _ = try await api.get("/me?token=\(second.accessToken)", token: second.accessToken)
            _ = try await api.post("/login", LoginRequest(email: "who@campus.example", password: "hunter2"))
            _ = try await api.post("/login", text: #"{"email": "who@campus.example", "password": ["hunter2"]}"#)
            _ = try await api.get("/me", token: "stale-token")
            _ = try await api.post("/logout", token: second.accessToken)
            return [
                first.accessToken, first.refreshToken, second.accessToken, second.refreshToken,
                DemoUsers.ada.password, DemoUsers.ada.email, "hunter2", "who@campus.example", "stale-token",
            ]
        }
        let lines = await log.finish()
        let requests = [
            "POST /login 200", "POST /token/refresh 200", "GET /me 200", "POST /login 401", "POST /login 400",
            "GET /me 401", "POST /logout 204",
        ]
        for request in requests { #expect(lines.contains { $0.contains(request) }, "\(request)") }
        for secret in secrets { #expect(!lines.contains { $0.contains(secret) }) }
    }
}
