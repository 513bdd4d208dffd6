import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

extension AuthenticatedIdempotentEndpoint<Void> {
    fileprivate static func erase(_ note: String) -> Self { Self(.delete("notes/\(note)")) }

    /// Confirms with a second password, for which the server uses 401, too.
    fileprivate static func confirm(_ pin: String, challenge: String? = nil) -> Self {
        let endpoint = AuthenticatedEndpoint<Void>(.put("pins/\(pin)"))
        let rule = challenge.map { endpoint.authenticationFails(with: [.unauthorized], challenge: $0) }
        return Self(needingKey: rule ?? endpoint.authenticationFails(with: []))
    }
}

/// Which attempts leave an outcome unknown, and which responses make it known again.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxOutcomeTests {
    private let bench = OutboxBench()
    private let lost = StubbedResponse.failure(Offline())

    /// Waits until an attempt has ended and the operation waits for the next one.
    private func attempt(_ number: Int, of ada: AccountOutbox) async throws -> OutboxOperation {
        let operation = try await ada.attempted(number)
        await bench.clock.sleepers(atLeast: 1)
        return operation
    }

    /// Makes the next attempt, whatever its wait.
    private func wait() { bench.clock.advance(by: .seconds(300)) }

    // MARK: Attempts that did not arrive

    @Test(.rule("D26"), arguments: [true, false])
    func `no operation is lost if a stale token cannot be refreshed for a week`(isKnownStale: Bool) async throws {
        let newer = StubbedResponse.json(#"{"access_token": "newer", "refresh_token": "next"}"#)
        bench.server.respond(to: .post, "refresh", with: lost, newer)
        bench.server.respond(to: .put, "notes/*") { request in
            .status(request.bearer == "newer" ? .noContent : .unauthorized)
        }
        let clock = ManualClock()
        let controller = try bench.controller(expiresIn: isKnownStale ? .zero : nil, clock: clock)
        let ada = try bench.account(of: bench.open(), through: controller)
        let operation = try await ada.write("hi", to: "a")
        ada.start()
        #expect(try await attempt(1, of: ada).firstSentAt == nil)
        // The pause after a failed refresh.
        clock.advance(by: .seconds(60))
        bench.clock.advance(by: .seconds(7 * 86_400))
        try await operation.response()
        #expect(bench.bearers.last == "newer")
        #expect(bench.events.value == [])
    }

    @Test(.rule("D26"))
    func `if the session has expired, an operation is sent after a sign-in on the next day`() async throws {
        bench.answer(.status(.unauthorized), .status(.noContent))
        let controller = try bench.controller()
        let ada = try bench.account(of: bench.open(), through: controller)
        let operation = try await ada.write("hi", to: "a")
        ada.start()
        await bench.event("waits for sign-in")
        #expect(try await ada.operations().first?.firstSentAt == nil)
        bench.clock.advance(by: .seconds(25 * 3600))
        try await controller.signIn(with: bench.tokens(of: "again"))
        ada.resume()
        try await operation.response()
        #expect(bench.bearers == ["ada", "again"])
    }

    @Test(.rule("D26"))
    func `if an attempt is stopped while it waits for tokens, it begins no key window`() async throws {
        let latch = AsyncLatch()
        bench.server.respond(to: .post, "refresh", with: .status(.badRequest), after: latch)
        let ada = try bench.account(of: bench.open(), through: bench.controller(expiresIn: .zero))
        try await ada.write("hi", to: "a")
        ada.start()
        await bench.server.requests(atLeast: 1)
        await ada.stop()
        let operation = try #require(try await ada.operations().first)
        #expect(operation.state == .queued)
        #expect(operation.firstSentAt == nil)
        latch.open()
    }

    // MARK: Responses after an attempt without an outcome

    @Test(.rule("D27"), arguments: [401, 402, 426])
    func `a status that is not about the key leaves an earlier outcome unknown`(status: Int) async throws {
        bench.answer(lost, .status(HTTPResponse.Status(code: status)))
        let (ada, _) = try await bench.sending("hi", to: "a")
        _ = try await attempt(1, of: ada)
        wait()
        let states: [Int: DeliveryState] = [401: .waitingForSignIn, 402: .needsReview, 426: .waitingForUpdate]
        let state = try #require(states[status])
        await waitUntil { ada.status.counts == [state: 1] }
        let operation = try #require(try await ada.operations().first)
        #expect(operation.firstSentAt != nil)
        if status != 401 { #expect(operation.status == status) }
        // Neither a sign-in nor an update of the app sends it blindly.
        await ada.stop()
        bench.clock.advance(by: .seconds(3600))
        let later = try bench.account(of: bench.open())
        later.start()
        await bench.event("parked: needsReview")
        #expect(bench.received.count == 2)
    }

    @Test(.rule("D27"))
    func `a conflict after a lost response keeps the key, because the first request may still run`() async throws {
        bench.answer(lost, .status(.conflict), .status(.noContent))
        let (ada, operation) = try await bench.sending("hi", to: "a")
        _ = try await attempt(1, of: ada)
        wait()
        #expect(try await attempt(2, of: ada).status == 409)
        wait()
        try await operation.response()
        #expect(bench.keys == Array(repeating: "\(operation.id)", count: 3))
        #expect(bench.events.value == [])
    }

    @Test(.rule("D27"), arguments: [404, 410])
    func `if a repeated deletion finds nothing, it is confirmed`(status: Int) async throws {
        bench.server.respond(to: .delete, "notes/*", with: lost, .status(HTTPResponse.Status(code: status)))
        let ada = try bench.account(of: bench.open())
        let operation = try await ada.enqueue(.erase("a"), of: .notes, entity: "a")
        ada.start()
        _ = try await attempt(1, of: ada)
        wait()
        let isWithoutReply = try await operation.response() == nil
        #expect(isWithoutReply)
        #expect(try await ada.states == [])
    }

    // MARK: Rules of an endpoint

    @Test(.rule("D37"))
    func `a wrong second password refreshes no tokens and stops nothing else`() async throws {
        bench.server.respond(to: .put, "pins/*", with: .status(.unauthorized))
        _ = try await bench.account(of: bench.open()).enqueue(.confirm("1234"), of: .notes, entity: "pin")
        // The rule of the endpoint is in the file, for a later process.
        let ada = try bench.account(of: bench.open())
        ada.start()
        await bench.event("parked: refused")
        try await ada.write("hi", to: "a").response()
        #expect(try await ada.states == ["pin: refused"])
        #expect(try await ada.operations().first?.status == 401)
        #expect(bench.server.requests.map(\.method) == [.put, .put])
    }

    @Test(.rule("D37"))
    func `a challenge shows whether the tokens or a second password was refused`() async throws {
        let challenge = #"Bearer error="invalid_token""#
        bench.server.respond(to: .post, "refresh", with: .json(#"{"access_token": "newer"}"#))
        bench.server.respond(
            to: .put,
            "pins/*",
            with: StubbedResponse(.unauthorized, headerFields: [.wwwAuthenticate: challenge]),
            .status(.unauthorized)
        )
        let ada = try bench.account(of: bench.open())
        _ = try await ada.enqueue(.confirm("1234", challenge: "invalid_token"), of: .notes, entity: "pin")
        ada.start()
        await bench.event("parked: refused")
        #expect(bench.bearers == ["ada", "newer"])
    }

    /// A middleware that sends only the first request to the server of the app.
    private struct Detour: NetworkMiddleware {
        private let count = Watched(0)

        func intercept(
            _ request: HTTPRequest,
            body: Data?,
            context: NetworkRequestContext,
            next: Next
        ) async throws -> (HTTPResponse, Data) {
            var request = request
            let number = count.update { count in
                count += 1
                return count
            }
            if number > 1 { request.authority = "elsewhere.example" }
            return try await next(request, body)
        }
    }

    @Test(.rule("D27", "N23"))
    func `if a request cannot be sent, the outcome of the previous attempt does not change`() async throws {
        bench.answer(lost)
        let ada = try bench.account(of: bench.open(), through: bench.controller(middlewares: [Detour()]))
        try await ada.write("hi", to: "a")
        ada.start()
        _ = try await attempt(1, of: ada)
        wait()
        #expect(try await attempt(2, of: ada).firstSentAt != nil)
        #expect(bench.received.count == 1)
    }
}
