import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// Attacks of readers with bad intentions.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxHostileTests {
    private let bench = OutboxBench()

    private func steps(blocking: Bool) -> OutboxKind { OutboxKind("steps", blocksFollowing: blocking) }

    @Test(.rule("D4", "U4"), arguments: [false, true])
    func `the kind decides at the refusal whether an operation stops its entity`(isBlocking: Bool) async throws {
        bench.answer(.status(.badRequest), to: "bad")
        let first = try bench.account(of: bench.open(kinds: [steps(blocking: !isBlocking)]))
        try await first.write("1", to: "bad", in: "a", of: steps(blocking: !isBlocking))
        await first.stop()
        // A new version of the app sends it.
        let second = try bench.account(of: bench.open(kinds: [steps(blocking: isBlocking)]))
        second.start()
        await bench.event("parked: refused")
        await second.stop()
        try await second.write("2", to: "good", in: "a", of: steps(blocking: isBlocking))
        // Another version delivers what is left.
        let third = try bench.account(of: bench.open(kinds: [steps(blocking: !isBlocking)]))
        third.start()
        try await third.waitUntilDrained()
        #expect(try await third.states == (isBlocking ? ["a: refused", "a: queued"] : ["a: refused"]))
    }

    @Test(.rule("U4", "D21"))
    func `if a dismissal cannot be written, the failure is shown again, and can be dismissed again`() async throws {
        bench.answer(.status(.badRequest))
        let (mine, page) = try await bench.page()
        let refused = try await page.save(.append("1"))
        mine.start()
        await waitUntil { page.pending == ["+1: failed"] }
        try bench.execute("CREATE TRIGGER stop BEFORE DELETE ON operation BEGIN SELECT RAISE(ABORT, 'no'); END")
        page.note.dismiss(refused)
        #expect(page.pending == [])
        await waitUntil { page.pending == ["+1: failed"] }
        #expect(try await mine.states == ["+1: refused"])
        try bench.execute("DROP TRIGGER stop")
        page.note.dismiss(refused)
        await waitUntil { mine.status.total == 0 }
        #expect(page.pending == [])
    }

    @Test(.rule("D27"))
    func `if a server always returns 409, the key stays the same, and finally the user decides`() async throws {
        bench.answer(.failure(URLError(.networkConnectionLost)), .status(.conflict))
        let (ada, operation) = try await bench.sending("hi", to: "a")
        let time = Task { [bench] in
            while !Task.isCancelled {
                await bench.pass(.seconds(300))
                try await ada.letOthersRun()
            }
        }
        await bench.event("parked: needsReview")
        time.cancel()
        #expect(try await ada.states == ["a: needsReview"])
        #expect(Set(bench.keys) == ["\(operation.id)"])
        #expect(bench.keys.count < 30)
    }

    @Test(.rule("D29"))
    func `the request that replaces a refused one has the ID from the server`() async throws {
        bench.server.respond(to: .put, "notes/*") { request in
            let hasFailed = try request.json([String: String].self)["text"] == "bad"
            return hasFailed ? .status(.badRequest) : .json(#"{"id": "server-1", "text": ""}"#)
        }
        let ada = try bench.account(of: bench.open())
        let notes = NoteList(RecordStore(identity: { $0.id }, sending: .renaming(ada)))
        await notes.show([])
        try notes.list.insert(NoteChange.create(Note(id: "local-1", text: "draft")))
        ada.start()
        await waitUntil { notes.list.ids == ["server-1"] }
        let bad = try await ada.write("bad", to: "local-1")
        await bench.event("parked: refused")
        try await ada.edit(bad.id, to: AuthenticatedIdempotentEndpoint<Void>.write("see local-1", to: "local-1"))
        try await ada.waitUntilDrained()
        #expect(bench.received == ["local-1: new draft", "server-1: bad", "server-1: see server-1"])
    }

    @Test(.rule("D8", "D27"), arguments: [true, false])
    func `a response from before a lost lease may only confirm a later attempt`(
        isRefusal: Bool
    ) async throws {
        let (first, second) = (AsyncLatch(), AsyncLatch())
        let count = Watched(0)
        bench.server.respond(to: .put, "notes/*") { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            await (number == 1 ? first : second).wait()
            return .status(number == 1 && isRefusal ? .preconditionFailed : .noContent)
        }
        let ada = try bench.account(of: bench.open())
        ada.start()
        try await ada.write("hi", to: "a")
        await bench.server.requests(atLeast: 1)
        // Another process takes the lease over, and ends.
        try bench.execute("UPDATE lease SET holder = '999999999/process/sender'")
        await bench.pass(.seconds(5))
        await bench.server.requests(atLeast: 2)
        first.open()
        if isRefusal {
            try await ada.letOthersRun()
            #expect(try await ada.states == ["a: sending"])
            second.open()
        }
        #expect(try await ada.waitUntilDrained().total == 0)
        second.open()
        #expect(Set(bench.keys).count == 1)
    }

    @Test(.rule("U4", "D21"))
    func `if a change is dismissed after another process sent it again, it is shown again`() async throws {
        bench.answer(.status(.badRequest))
        let (ada, page) = try await bench.page()
        let refused = try await page.save(.append("1"))
        ada.start()
        await waitUntil { page.pending == ["+1: failed"] }
        await ada.stop()
        // Another process, of which this store has not heard yet.
        try await bench.account(of: bench.open()).retry(refused)
        page.note.dismiss(refused)
        #expect(page.pending == [])
        await waitUntil { page.pending == ["+1: queued"] }
        ada.start()
        await waitUntil { page.pending == ["+1: failed"] }
    }
}
