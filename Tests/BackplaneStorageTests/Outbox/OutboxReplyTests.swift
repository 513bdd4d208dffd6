import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// How the reply to an attempt decides what becomes of an operation.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxReplyTests {
    private let bench = OutboxBench()

    /// Waits until the first attempt has ended without an outcome.
    private func firstAttempt(of ada: AccountOutbox) async throws -> OutboxOperation {
        await waitUntil {
            let operation = ada.operations.first
            return operation?.attempts == 1 && operation?.state == .queued
        }
        return try #require(ada.operations.first)
    }

    @Test(.rule("D5"), arguments: [400, 403, 404, 410, 422])
    func `a refusal parks the operation with the server's words, and is never sent again`(status: Int) async throws {
        bench.server.respond(
            to: .put,
            "notes/*",
            with: .json(#"{"detail": "The note is locked."}"#, status: HTTPResponse.Status(code: status))
        )
        let ada = try bench.account(of: bench.open())
        let operation = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        ada.start()
        let error = await #expect(throws: OutboxFailure.self) { try await operation.response() }
        #expect(error?.isDiscarded == false)
        #expect(error?.operation.status == status)
        #expect(error?.operation.reason == "The note is locked.")
        #expect(bench.events.value == ["parked: refused"])

        // Refused changes survive the process, and another start does not send them.
        await ada.stop()
        let later = try bench.account(of: bench.open())
        later.start()
        try await later.letOthersRun()
        #expect(try await later.states == ["a: refused"])
        #expect(try await later.operations(limit: 1).first?.reason == "The note is locked.")
        #expect(bench.received.count == 1)
    }

    @Test(.rule("D5"), arguments: [409, 412])
    func `a conflict parks the operation for the user`(status: Int) async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(HTTPResponse.Status(code: status)))
        let ada = try bench.account(of: bench.open())
        let operation = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        ada.start()
        await #expect(throws: OutboxFailure.self) { try await operation.response() }
        #expect(try await ada.states == ["a: conflict"])
        #expect(bench.events.value == ["parked: conflict"])
    }

    @Test(.rule("D5"), arguments: [302, 408, 425, 429, 500, 503])
    func `after an unclear status the same bytes are sent again with the same key`(status: Int) async throws {
        bench.server.respond(
            to: .put,
            "notes/*",
            with: .status(HTTPResponse.Status(code: status)),
            .status(.noContent)
        )
        let ada = try bench.account(of: bench.open())
        let operation = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        ada.start()
        #expect(try await firstAttempt(of: ada).status == status)
        await bench.clock.sleepers(atLeast: 1)
        bench.clock.advance(by: .milliseconds(500))
        try await operation.response()
        #expect(bench.keys == ["\(operation.id)", "\(operation.id)"])
        #expect(bench.server.requests.first?.body == bench.server.requests.last?.body)
        #expect(bench.events.value == [])
    }

    @Test(.rule("D5"))
    func `after a lost connection the operation waits, and longer after each attempt`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .failure(Offline()))
        let ada = try bench.account(of: bench.open())
        _ = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        ada.start()
        let first = try await firstAttempt(of: ada)
        #expect(first.status == nil)
        #expect(first.reason != nil)
        #expect(first.firstSentAt == Date(timeIntervalSince1970: 1_000_000))
        #expect(first.notBefore == Date(timeIntervalSince1970: 1_000_000.5))
        await bench.clock.sleepers(atLeast: 1)
        bench.clock.advance(by: .milliseconds(500))
        await waitUntil { ada.operations.first?.attempts == 2 && ada.operations.first?.state == .queued }
        #expect(ada.operations.first?.notBefore == Date(timeIntervalSince1970: 1_000_001.5))
        #expect(ada.operations.first?.firstSentAt == Date(timeIntervalSince1970: 1_000_000))
    }

    @Test(.rule("D5"))
    func `the server's Retry-After is added to the wait`() async throws {
        bench.server.respond(
            to: .put,
            "notes/*",
            with: StubbedResponse(.serviceUnavailable, headerFields: [.retryAfter: "120"])
        )
        let ada = try bench.account(of: bench.open())
        _ = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        ada.start()
        let operation = try await firstAttempt(of: ada)
        #expect(operation.notBefore == Date(timeIntervalSince1970: 1_000_120.5))
    }

    @Test(.rule("D5"))
    func `without a log-in the operations wait, and are sent after the log-in`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(.unauthorized), .status(.noContent))
        let controller = try bench.controller()
        let ada = try bench.account(of: bench.open(), through: controller)
        _ = try await ada.enqueue(.write("1", to: "a"), of: .notes, entity: "a")
        ada.start()
        await bench.event("waits for log-in")
        _ = try await ada.enqueue(.write("2", to: "b"), of: .notes, entity: "b")
        try await ada.letOthersRun()
        #expect(try await ada.states == ["a: waitingForLogIn", "b: queued"])
        await waitUntil { ada.status.waitsForLogIn }

        try await controller.signIn(with: bench.tokens(of: "new"))
        ada.resume()
        try await ada.waitUntilDrained()
        #expect(Set(bench.received.dropFirst()) == ["a: 1", "b: 2"])
        #expect(bench.bearers == ["ada", "new", "new"])
        #expect(bench.keys[0] == bench.keys[bench.received.lastIndex(of: "a: 1") ?? 0])
    }

    @Test(.rule("D5"))
    func `a log-in during an attempt is not forgotten when that attempt fails`() async throws {
        let gate = AsyncLatch()
        bench.server.respond(to: .put, "notes/*", with: .status(.noContent), after: gate)
        let controller = try bench.controller()
        let ada = try bench.account(of: bench.open(), through: controller)
        let operation = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        ada.start()
        await bench.server.requests(atLeast: 1)
        // The attempt belongs to the former session, so it fails now.
        try await controller.signIn(with: bench.tokens(of: "new"))
        ada.resume()
        try await ada.letOthersRun()
        gate.open()
        try await operation.response()
        #expect(bench.bearers == ["ada", "new"])
        #expect(Set(bench.keys).count == 1)
    }

    @Test(.rule("N18"))
    func `a middleware that retries sends each attempt only once`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(.serviceUnavailable), .status(.noContent))
        var options = NetworkOptions()
        options.clock = ManualClock()
        options.middlewares = [RetryMiddleware { _ in .zero }]
        let service = try NonAuthenticatedNetworkController(
            baseURL: bench.server.baseURL,
            transport: bench.server,
            options: options
        )
        let controller = AuthenticatedNetworkController(over: service, tokens: bench.tokens(of: "ada")) { token in
            NonAuthenticatedEndpoint<NetworkTokens>(.post("refresh", body: .json(["token": token.rawValue])))
        }
        let ada = try bench.account(of: bench.open(), through: controller)
        _ = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        ada.start()
        await bench.server.requests(atLeast: 1)
        await ada.networkChanged(to: .none)
        while try await ada.states == ["a: sending"] { await Task.yield() }
        #expect(try await ada.states == ["a: queued"])
        #expect(bench.received == ["a: hi"])
        await ada.networkChanged(to: .unmetered)
        bench.clock.advance(by: .seconds(60))
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: hi", "a: hi"])
    }

    @Test(.rule("D19"))
    func `an operation that needs a newer app waits for the app's update`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(HTTPResponse.Status(code: 426)), .status(.noContent))
        let old = try bench.account(of: bench.open())
        _ = try await old.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        old.start()
        await waitUntil { old.status.counts == [.waitingForUpdate: 1] }
        #expect(bench.events.value == [])
        await old.stop()

        let new = try bench.account(of: bench.open())
        new.start()
        try await new.waitUntilDrained()
        #expect(bench.received == ["a: hi", "a: hi"])
    }

    @Test(.rule("D5"))
    func `a confirmation that cannot be read is a confirmation`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .json("page of a proxy"))
        let ada = try bench.account(of: bench.open())
        let endpoint = AuthenticatedIdempotentEndpoint<[String]>(.put("notes/a", body: .json(["text": "hi"])))
        let operation = try await ada.enqueue(endpoint, of: .notes, entity: "a")
        ada.start()
        await #expect(throws: (any Error).self) { try await operation.response() }
        #expect(try await ada.states == [])
        #expect(bench.received == ["a: hi"])
    }

    @Test(.rule("D9"))
    func `an endpoint that cannot be sent is refused before it is saved`() async throws {
        let ada = try bench.account(of: bench.open())
        await #expect(throws: NetworkError.self) {
            try await ada.enqueue(.write("hi", to: ".."), of: .notes, entity: "a")
        }
        #expect(try await ada.states == [])
    }
}
