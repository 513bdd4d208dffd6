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

    @Test(.rule("D5"), arguments: [400, 403, 404, 409, 410, 412, 422])
    func `a refused operation is parked with a reason, and is never sent again`(status: Int) async throws {
        bench.answer(.json(#"{"detail": "The note is locked."}"#, status: HTTPResponse.Status(code: status)))
        let (ada, operation) = try await bench.sending("hi", to: "a")
        let error = await #expect(throws: OutboxFailure.self) { try await operation.response() }
        #expect(error?.operation.status == status)
        #expect(error?.operation.reason == "The note is locked.")
        let state: DeliveryState = [409, 412].contains(status) ? .conflict : .refused
        #expect(bench.events.value == ["parked: \(state)"])

        // It survives the process, and another start does not send it.
        await ada.stop()
        let later = try bench.account(of: bench.open())
        later.start()
        try await later.letOthersRun()
        #expect(try await later.states == ["a: \(state)"])
        #expect(try await later.operations().first?.reason == "The note is locked.")
        #expect(bench.received.count == 1)
    }

    @Test(.rule("D5"), arguments: [nil, 120])
    func `after an attempt without an outcome the operation waits, longer each time and as the server asks`(
        asked: Int?
    ) async throws {
        let busy = StubbedResponse(.serviceUnavailable, headerFields: [.retryAfter: "\(asked ?? 0)"])
        bench.answer(asked == nil ? .failure(Offline()) : busy)
        let (ada, _) = try await bench.sending("hi", to: "a")
        let first = try await ada.attempted(1)
        #expect((first.status == nil) == (asked == nil))
        #expect(first.reason != nil)
        let start = Date(timeIntervalSince1970: 1_000_000)
        #expect(first.firstSentAt == start)
        let wait = Double(asked ?? 0) + 0.5
        #expect(first.notBefore == start + wait)
        await bench.pass(.milliseconds(Int(wait * 1000)))
        let second = try await ada.attempted(2)
        #expect(second.notBefore == start + wait + Double(asked ?? 0) + 1)
        #expect(second.firstSentAt == start)
    }

    @Test(.rule("D5"))
    func `without a sign-in the operations wait, and are sent after the sign-in`() async throws {
        bench.answer(.status(.unauthorized), .status(.noContent))
        let controller = try bench.controller()
        let ada = try bench.account(of: bench.open(), through: controller)
        try await ada.write("1", to: "a")
        ada.start()
        await bench.event("waits for sign-in")
        try await ada.write("2", to: "b")
        try await ada.letOthersRun()
        #expect(try await ada.states == ["a: waitingForSignIn", "b: queued"])
        await waitUntil { ada.status.counts[.waitingForSignIn] != nil }

        try await controller.signIn(with: bench.tokens(of: "new"))
        ada.resume()
        try await ada.waitUntilDrained()
        #expect(Set(bench.received.dropFirst()) == ["a: 1", "b: 2"])
        #expect(bench.bearers == ["ada", "new", "new"])
        #expect(bench.keys[0] == bench.keys[bench.received.lastIndex(of: "a: 1") ?? 0])
    }

    @Test(.rule("D5"))
    func `a sign-in during an attempt is not forgotten when that attempt fails`() async throws {
        let latch = AsyncLatch()
        bench.answer(.status(.noContent), after: latch)
        let controller = try bench.controller()
        let ada = try bench.account(of: bench.open(), through: controller)
        let operation = try await ada.write("hi", to: "a")
        ada.start()
        await bench.server.requests(atLeast: 1)
        // The attempt belongs to the former session, so it fails now.
        try await controller.signIn(with: bench.tokens(of: "new"))
        ada.resume()
        try await ada.letOthersRun()
        latch.open()
        try await operation.response()
        #expect(bench.bearers == ["ada", "new"])
        #expect(Set(bench.keys).count == 1)
    }

    @Test func `the reason of a refused operation can be a text of the app`() async throws {
        bench.answer(.status(.unprocessableContent))
        let outbox = try bench.open()
        let ada = outbox.account(
            "ada",
            through: try bench.controller(),
            explaining: { "\($0.status?.code ?? 0): later" }
        )
        ada.start()
        let operation = try await ada.write("hi", to: "a")
        let failure = await #expect(throws: OutboxFailure.self) { try await operation.response() }
        #expect(failure?.operation.reason == "422: later")
        #expect(try await ada.operations().map(\.reason) == ["422: later"])
    }

    @Test(.rule("N18"))
    func `a middleware that retries sends each attempt only once`() async throws {
        bench.answer(.status(.serviceUnavailable), .status(.noContent))
        let controller = try bench.controller(middlewares: [RetryMiddleware { _ in .zero }])
        let ada = try bench.account(of: bench.open(), through: controller)
        try await ada.write("hi", to: "a")
        ada.start()
        await bench.server.requests(atLeast: 1)
        await ada.networkChanged(isReachable: false)
        while try await ada.states == ["a: sending"] { await Task.yield() }
        #expect(try await ada.states == ["a: queued"])
        #expect(bench.received == ["a: hi"])
        await ada.networkChanged(isReachable: true)
        bench.clock.advance(by: .seconds(60))
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: hi", "a: hi"])
    }

    @Test(.rule("D19"))
    func `an operation that needs a newer app waits for the app's update`() async throws {
        bench.answer(.status(HTTPResponse.Status(code: 426)), .status(.noContent))
        let old = try bench.account(of: bench.open())
        try await old.write("hi", to: "a")
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
    func `a confirmation counts, even if its body cannot be read`() async throws {
        bench.answer(.json("page of a proxy"))
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
            try await ada.write("hi", to: "..", in: "a")
        }
        #expect(try await ada.states == [])
    }
}
