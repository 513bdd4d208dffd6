import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// An operation whose outcome is unknown, after the time for which servers remember its key.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxKeyWindowTests {
    private let bench = OutboxBench()

    /// Returns an outbox with an operation that was sent once, without a response.
    private func outboxWithUnknown(
        then next: StubbedResponse = .status(.noContent)
    ) async throws -> (ada: AccountOutbox, operation: SavedOperation<Void>) {
        bench.answer(.failure(Offline()), next)
        let (ada, operation) = try await bench.sending("hi", to: "a")
        try await ada.attempted(1)
        await bench.clock.sleepers(atLeast: 1)
        return (ada, operation)
    }

    @Test(.rule("D14"))
    func `an operation whose outcome is unknown is not sent again after the key window`() async throws {
        let (ada, _) = try await outboxWithUnknown()
        bench.clock.advance(by: .seconds(3600))
        await bench.event("parked: needsReview")
        // Not even after a sign-in, a return of the network, or another start.
        ada.resume()
        await ada.networkChanged(isReachable: true)
        ada.start()
        try await ada.letOthersRun()
        #expect(try await ada.states == ["a: needsReview"])
        #expect(bench.received.count == 1)
    }

    @Test(
        .rule("D14", "D26"),
        arguments: [.cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed] as [URLError.Code]
    )
    func `without a connection, the key window does not begin`(code: URLError.Code) async throws {
        let offline = StubbedResponse.failure(URLError(code))
        bench.answer(offline, offline, .status(.noContent))
        let (ada, operation) = try await bench.sending("hi", to: "a")
        for attempt in 1...2 {
            await waitUntil { ada.operations.first?.attempts == attempt && ada.operations.first?.state == .queued }
            #expect(ada.operations.first?.firstSentAt == nil)
            await bench.pass(.seconds(7 * 86_400))
        }
        try await operation.response()
        #expect(bench.received.count == 3)
        #expect(bench.events.value == [])
    }

    @Test(.rule("D14"))
    func `an operation can have any age if its only attempt was refused because of its tokens`() async throws {
        bench.server.respond(
            to: .post,
            "refresh",
            with: .json(#"{"access_token": "newer"}"#),
            .json(#"{"access_token": "newest"}"#)
        )
        bench.answer(.status(.unauthorized), .status(.unauthorized), .status(.noContent))
        let (ada, _) = try await bench.sending("hi", to: "a")
        await bench.event("waits for sign-in")
        bench.clock.advance(by: .seconds(86_400))
        ada.resume()
        try await ada.waitUntilDrained()
        #expect(bench.bearers == ["ada", "newer", "newest"])
    }

    @Test(.rule("D14"))
    func `if a question to the server finds the operation, the operation is confirmed`() async throws {
        let (ada, operation) = try await outboxWithUnknown()
        ada.review(.notes) { operation in operation.entity == "a" ? true : nil }
        bench.clock.advance(by: .seconds(3600))
        let isWithoutReply = try await operation.response() == nil
        #expect(isWithoutReply)
        #expect(try await ada.states == [])
        #expect(bench.received.count == 1)
    }

    @Test(.rule("D14"))
    func `if a question to the server does not find the operation, the operation is sent again`() async throws {
        let (ada, operation) = try await outboxWithUnknown()
        bench.clock.advance(by: .seconds(3600))
        await bench.event("parked: needsReview")
        // The closure may come after the operation was parked.
        ada.review(.notes) { _ in false }
        try await operation.response()
        #expect(bench.received.count == 2)
        #expect(Set(bench.keys) == ["\(operation.id)"])
    }

    @Test(.rule("D14", "D20"))
    func `a wait for the end of all operations does not wait for a question about a parked one`() async throws {
        let (ada, operation) = try await outboxWithUnknown()
        let answer = AsyncLatch()
        ada.review(.notes) { _ in
            await answer.wait()
            return false
        }
        bench.clock.advance(by: .seconds(3600))
        #expect(try await ada.waitUntilDrained().counts == [.needsReview: 1])
        answer.open()
        try await operation.response()
        #expect(try await ada.waitUntilDrained().total == 0)
    }

    @Test(.rule("D14"))
    func `a question without an answer leaves the decision to the user`() async throws {
        let (ada, operation) = try await outboxWithUnknown()
        let asked = AsyncLatch()
        ada.review(.notes) { _ in
            asked.open()
            throw Offline()
        }
        bench.clock.advance(by: .seconds(3600))
        await asked.wait()
        try await ada.letOthersRun()
        #expect(try await ada.states == ["a: needsReview"])

        // The user accepts that it may take place twice.
        try await ada.retry(operation.id)
        try await operation.response()
        #expect(Set(bench.keys) == ["\(operation.id)"])
    }

    @Test(.rule("D14"))
    func `if an operation with an unknown outcome is retried, the server may still know it`() async throws {
        let (ada, operation) = try await outboxWithUnknown()
        bench.clock.advance(by: .seconds(3600))
        await bench.event("parked: needsReview")
        await ada.networkChanged(isReachable: false)
        try await ada.retry(operation.id)
        let retried = try await ada.operations().first
        #expect(retried?.state == .queued)
        #expect(retried?.firstSentAt == Date(timeIntervalSince1970: 1_003_600))
    }

    @Test(.rule("D14", "D25"), arguments: [-7200, 300 - 1_000_000])
    func `if the clock was set back, an operation with an unknown outcome is not sent without a check`(
        by seconds: Int
    ) async throws {
        let (ada, _) = try await outboxWithUnknown()
        await ada.stop()
        bench.shift = .seconds(seconds)
        let later = try bench.account(of: bench.open())
        try await later.write("new", to: "b")
        later.start()
        await bench.event("parked: needsReview")
        try await later.waitUntilDrained()
        #expect(bench.received == ["a: hi", "b: new"])
        #expect(try await later.states == ["a: needsReview"])
    }

    @Test(.rule("D25"))
    func `if the clock was set back, an operation does not wait for that time`() async throws {
        bench.answer(StubbedResponse(.tooManyRequests, headerFields: [.retryAfter: "600"]), .status(.noContent))
        let (ada, _) = try await bench.sending("hi", to: "a")
        await waitUntil { ada.operations.first?.notBefore != nil }
        await ada.stop()
        // An hour and 10 minutes would be left of the 10 minutes.
        try bench.execute("UPDATE operation SET firstSentAt = NULL")
        bench.shift = .seconds(-3600)
        let later = try bench.account(of: bench.open())
        #expect(try await later.operations(limit: 1).map(\.notBefore) == [nil])
    }

    @Test(.rule("D14"))
    func `a retry by the user does not make the key window longer`() async throws {
        let (ada, operation) = try await outboxWithUnknown()
        await ada.networkChanged(isReachable: false)
        bench.clock.advance(by: .seconds(3000))
        try await ada.retry(operation.id)
        bench.clock.advance(by: .seconds(1000))
        await ada.networkChanged(isReachable: true)
        await bench.event("parked: needsReview")
        #expect(bench.received.count == 1)
    }

    @Test(.rule("D14", "D27"))
    func `an answer that comes after the decision of the user has no effect on the later attempt`() async throws {
        let (ada, operation) = try await outboxWithUnknown(then: .failure(Offline()))
        let (asked, latch) = (AsyncLatch(), AsyncLatch())
        ada.review(.notes) { _ in
            asked.open()
            await latch.wait()
            return false
        }
        bench.clock.advance(by: .seconds(3600))
        await asked.wait()
        try await ada.retry(operation.id)
        await bench.server.requests(atLeast: 2)
        await waitUntil { ada.operations.first?.state == .queued }
        latch.open()
        try await ada.letOthersRun()
        #expect(try await ada.operations().first?.firstSentAt != nil)
    }

    @Test(.rule("D14"))
    func `a question that does not end does not stop questions about other kinds`() async throws {
        let films = OutboxKind("films", keyWindow: .seconds(3600))
        bench.answer(.failure(Offline()))
        let ada = try bench.account(of: bench.open(kinds: [.notes, films]))
        try await ada.write("1", to: "a")
        let film = try await ada.write("2", to: "b", of: films)
        let (asked, latch) = (AsyncLatch(), AsyncLatch())
        ada.review(.notes) { _ in
            asked.open()
            await latch.wait()
            return nil
        }
        ada.start()
        await waitUntil { ada.operations.count == 2 && ada.operations.allSatisfy { $0.firstSentAt != nil } }
        await waitUntil { ada.status.counts == [.queued: 2] }
        await bench.pass(.seconds(3600))
        await asked.wait()
        ada.review(films) { _ in true }
        _ = try await film.response()
        latch.open()
    }

    @Test(.rule("D14"))
    func `if a question failed, it is asked again when the network is back`() async throws {
        let (ada, operation) = try await outboxWithUnknown()
        let asked = Watched(0)
        ada.review(.notes) { _ in
            let number = asked.update { number in
                number += 1
                return number
            }
            if number == 1 { throw Offline() }
            return true
        }
        bench.clock.advance(by: .seconds(3600))
        await asked.wait { $0 == 1 }
        ada.resume()
        try await operation.response()
        #expect(asked.value == 2)
        #expect(bench.received.count == 1)
    }
}
