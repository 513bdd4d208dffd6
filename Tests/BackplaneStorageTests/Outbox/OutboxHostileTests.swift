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
    func `a refused operation stops its entity as its kind said when it was refused`(isBlocking: Bool) async throws {
        bench.server.respond(to: .put, "notes/bad", with: .status(.badRequest))
        let first = try bench.account(of: bench.open(kinds: [steps(blocking: !isBlocking)]))
        _ = try await first.enqueue(.write("1", to: "bad"), of: steps(blocking: !isBlocking), entity: "a")
        await first.stop()
        // A new version of the app sends it.
        let second = try bench.account(of: bench.open(kinds: [steps(blocking: isBlocking)]))
        second.start()
        await bench.event("parked: refused")
        await second.stop()
        _ = try await second.enqueue(.write("2", to: "good"), of: steps(blocking: isBlocking), entity: "a")
        // Another version delivers what is left.
        let third = try bench.account(of: bench.open(kinds: [steps(blocking: !isBlocking)]))
        third.start()
        try await third.waitUntilDrained()
        #expect(try await third.states == (isBlocking ? ["a: refused", "a: queued"] : ["a: refused"]))
    }

    @Test(.rule("U4", "D21"))
    func `a dismissal that cannot be written brings the failure back, and can be repeated`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(.badRequest))
        let mine = try bench.account(of: bench.open())
        let page = NotePage(sending: .durable(mine))
        await page.show("base")
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

    @Test(.rule("U4", "D21"))
    func `a change that others send again before its dismissal is shown again`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(.badRequest), .status(.noContent))
        let mine = try bench.account(of: bench.open())
        let page = NotePage(sending: .durable(mine))
        await page.show("base")
        let id = try await page.save(.append("1"))
        mine.start()
        await waitUntil { page.pending == ["+1: failed"] }
        await mine.stop()
        // Another process has sent it again.
        try bench.execute("UPDATE operation SET state = 'queued', isHead = 1")
        page.note.dismiss(id)
        #expect(page.pending == [])
        await waitUntil { page.pending == ["+1: queued"] }
        #expect(try await mine.states == ["+1: queued"])
    }

    @Test(.rule("D27"))
    func `a server that answers 409 for ever gets no second key, and the user decides in the end`() async throws {
        bench.server.respond(
            to: .put,
            "notes/*",
            with: .failure(URLError(.networkConnectionLost)),
            .status(.conflict)
        )
        let ada = try bench.account(of: bench.open())
        let operation = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        ada.start()
        while try await ada.states != ["a: needsReview"] {
            await bench.clock.sleepers(atLeast: 1)
            bench.clock.advance(by: .seconds(300))
            try await ada.letOthersRun()
        }
        #expect(Set(bench.keys) == ["\(operation.id)"])
        #expect(bench.keys.count < 30)
    }

    @Test(.rule("D19", "D36"))
    func `a file of a newer version keeps its operations at a sign-out that discards them`() async throws {
        let old = try bench.account(of: bench.open())
        let id = try await old.enqueue(.write("hi", to: "a"), of: .notes, entity: "a").id
        try bench.execute("INSERT INTO grdb_migrations VALUES ('outbox 1000')")
        let ada = try bench.account(of: bench.open())
        let error = await #expect(throws: StorageError.self) { try await ada.discardAll() }
        #expect(error?.code == .newerVersion)
        #expect(try bench.texts("SELECT id FROM operation") == ["\(id)"])
    }

    @Test(.rule("D29"))
    func `the ID from the server reaches the request that replaces a refused one`() async throws {
        bench.server.respond(to: .put, "notes/*") { request in
            let isRefused = try request.json([String: String].self)["text"] == "bad"
            return isRefused ? .status(.badRequest) : .json(#"{"id": "server-1", "text": ""}"#)
        }
        let ada = try bench.account(of: bench.open())
        let sender = ChangeSender<String, Note>(
            as: .notes,
            through: ada,
            confirming: { (note: Note) -> Note? in note },
            identity: { (note: Note) -> String? in note.id },
            endpoint: { (change: NoteChange, id: String) -> AuthenticatedIdempotentEndpoint<Note> in
                .save(change, of: id)
            }
        )
        let notes = NoteList(RecordStore(identity: { $0.id }, sending: sender))
        await notes.show([])
        try notes.list.insert(NoteChange.create(Note(id: "local-1", text: "draft")))
        ada.start()
        await waitUntil { notes.list.ids == ["server-1"] }
        let bad = try await ada.enqueue(.write("bad", to: "local-1"), of: .notes, entity: "local-1")
        await bench.event("parked: refused")
        try await ada.edit(bad.id, to: AuthenticatedIdempotentEndpoint<Void>.write("see local-1", to: "local-1"))
        try await ada.waitUntilDrained()
        #expect(bench.received == ["local-1: new draft", "server-1: bad", "server-1: see server-1"])
    }

    @Test(.rule("D8", "D27"), arguments: [true, false])
    func `a response from before a lost lease refuses no later attempt, and may confirm it`(
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
        _ = try await ada.enqueue(.write("hi", to: "a"), of: .notes, entity: "a")
        await bench.server.requests(atLeast: 1)
        // Another process takes the lease over, and ends.
        try bench.execute("UPDATE lease SET holder = '999999999/process/sender'")
        await bench.clock.sleepers(atLeast: 1)
        bench.clock.advance(by: .seconds(5))
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
    func `a change that is dismissed after it was sent again elsewhere is shown again`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(.badRequest))
        let ada = try bench.account(of: bench.open())
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
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
