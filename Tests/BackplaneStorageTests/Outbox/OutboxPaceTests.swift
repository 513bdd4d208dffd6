import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The waits between attempts to which the code of the app leads, and not the user.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct OutboxPaceTests {
    private let bench = OutboxBench()
    private let asked = Watched(0)

    /// Returns an outbox whose conflicts are resolved by a new request, or by a retry, at once.
    private func outbox(editing: Bool) async throws -> AccountOutbox {
        let (ada, page) = try await bench.page(tag: "v1")
        _ = try await page.save(.write("mine"))
        ada.resolveConflicts(of: .notes) { [weak ada, asked] (conflict: RecordConflict<NoteChange>) in
            asked.update { $0 += 1 }
            if editing {
                try await ada?.edit(
                    conflict.operation.id,
                    to: AuthenticatedIdempotentEndpoint<Void>.write("both", to: "a")
                )
            } else {
                try await ada?.retry(conflict.operation.id)
            }
        }
        return ada
    }

    /// Waits until the next attempt has a time, and returns how many milliseconds are left.
    private func wait(after count: Int, in ada: AccountOutbox) async throws -> Int64 {
        await asked.wait { $0 >= count }
        await waitUntil { ada.operations.first?.state == .queued && ada.operations.first?.notBefore != nil }
        try await ada.letOthersRun()
        let time = try #require(ada.operations.first?.notBefore)
        return Int64((time.timeIntervalSince1970 * 1000).rounded()) - bench.milliseconds
    }

    @Test(.rule("D31"), arguments: [true, false])
    func `if a resolution is in conflict again, it waits, and longer after each conflict`(editing: Bool) async throws {
        bench.answer(.status(.preconditionFailed))
        let ada = try await outbox(editing: editing)
        ada.start()
        // The first conflict is resolved at once.
        #expect(try await wait(after: 2, in: ada) == 1000)
        #expect(bench.received.count == 2)
        await bench.pass(.seconds(1))
        #expect(try await wait(after: 3, in: ada) == 2000)
        #expect(bench.received.count == 3)
        await ada.stop()
    }

    @Test(.rule("D31"))
    func `a resolution waits as long as the server asks for`() async throws {
        bench.answer(StubbedResponse(.conflict, headerFields: [.retryAfter: "60"]), .status(.noContent))
        let ada = try await outbox(editing: true)
        ada.start()
        #expect(try await wait(after: 1, in: ada) >= 60_000)
        #expect(bench.received.count == 1)
        await bench.pass(.seconds(61))
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: mine", "a: both"])
    }

    @Test(.rule("D31"))
    func `after a decision of the user, the operation is sent without a wait`() async throws {
        bench.answer(StubbedResponse(.conflict, headerFields: [.retryAfter: "60"]), .status(.noContent))
        let ada = try bench.account(of: bench.open())
        let id = try await ada.write("mine", to: "a").id
        ada.start()
        await bench.event("parked: conflict")
        try await ada.edit(id, to: .write("both", to: "a"))
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: mine", "a: both"])
    }

    @Test(.rule("D31"))
    func `if the server remembers no keys, a question does not repeat the operation without a wait`() async throws {
        let forgetful = OutboxKind("notes", keyWindow: .zero)
        bench.answer(.failure(Offline()))
        let ada = try bench.account(of: bench.open(kinds: [forgetful]))
        ada.review(forgetful) { [asked] _ in
            asked.update { $0 += 1 }
            return false
        }
        try await ada.write("hi", to: "a", of: forgetful)
        ada.start()
        #expect(try await wait(after: 1, in: ada) == 500)
        #expect(bench.received.count == 1)
        await bench.pass(.milliseconds(500))
        #expect(try await wait(after: 2, in: ada) == 1000)
        #expect(bench.received.count == 2)
    }
}
