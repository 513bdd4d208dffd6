import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Lines of operations that change: by removals, by IDs from the server, and by lists in order.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct OutboxLineTests {
    private let bench = OutboxBench()

    // MARK: Removals and IDs from the server

    @Test(.rule("D33"))
    func `after an operation is removed, only one operation is the first of its entity`() async throws {
        let ada = try bench.account(of: bench.open())
        var last: IdempotencyKey?
        for name in ["1", "2", "3"] {
            last = try await ada.write(name, to: "a", label: name).id
        }
        // As after two lines became one: the operation that was under way stays the first.
        try bench.execute("UPDATE operation SET isHead = label = '2'")
        try await ada.discard(try #require(last))
        #expect(try bench.texts("SELECT label FROM operation WHERE isHead") == ["2"])
        try await ada.discard(try #require(try await ada.operations().last?.id))
        #expect(try bench.texts("SELECT label FROM operation WHERE isHead") == ["1"])
    }

    /// Creates the note "local-1", whose ID the server replaces by "server-1", after a latch.
    private func create(in ada: AccountOutbox, after latch: AsyncLatch) async throws {
        bench.answer(.json(#"{"id": "server-1", "text": ""}"#), to: "local-1", after: latch)
        let notes = NoteList(RecordStore(identity: { $0.id }, sending: .renaming(ada)))
        await notes.show([])
        try notes.list.insert(NoteChange.create(Note(id: "local-1", text: "draft")))
    }

    @Test(.rule("D33"))
    func `an ID from the server does not join two entities that are both being sent`() async throws {
        let (created, old, new) = (AsyncLatch(), AsyncLatch(), AsyncLatch())
        bench.answer(.status(.noContent), to: "old", after: old)
        bench.answer(.status(.noContent), to: "new", after: new)
        let ada = try bench.account(of: bench.open())
        ada.start()
        try await create(in: ada, after: created)
        try await ada.write("1", to: "old", in: "x/local-1")
        try await ada.write("2", to: "next", in: "x/local-1")
        let other = try await ada.write("3", to: "new", in: "x/server-1")
        await bench.server.requests(atLeast: 3)
        created.open()
        await waitUntil { ada.status.total == 3 }
        #expect(Set(try bench.texts("SELECT entity FROM operation WHERE state = 'sending'")).count == 2)
        try await ada.write("4", to: "late", in: "x/local-1")
        new.open()
        try await other.response()
        try await ada.letOthersRun()
        // The one before them is still under way.
        #expect(bench.received.count == 3)
        old.open()
        try await ada.waitUntilDrained()
        #expect(bench.received.suffix(2) == ["next: 2", "late: 4"])
    }

    @Test(.rule("D33"))
    func `all operations of an entity get its new name, so a refused operation still stops them`() async throws {
        bench.answer(.status(.badRequest), to: "bad")
        let created = AsyncLatch()
        let steps = OutboxKind("steps", blocksFollowing: true)
        let ada = try bench.account(of: bench.open(kinds: [.notes, steps]))
        ada.start()
        let bad = try await ada.write("1", to: "bad", in: "x/local-1", of: steps)
        try await ada.write("2", to: "next", in: "x/local-1", of: steps, label: "next")
        await bench.event("parked: refused")
        try await create(in: ada, after: created)
        created.open()
        await waitUntil { ada.status.total == 2 }
        try await ada.letOthersRun()
        #expect(try await ada.states == ["x/server-1: refused", "next: queued"])
        try await ada.discard(bad.id)
        try await ada.waitUntilDrained()
        #expect(bench.received.last == "next: 2")
    }

    // MARK: Lists in order

    /// Returns a list that sends its insertions in order.
    private func list(_ ada: AccountOutbox) async -> PagedLoader<Int, Note> {
        let store = RecordStore<String, Note>(sending: .durable(ada))
        let list = PagedLoader<Int, Note>(store: store, insertsInOrder: true) { _ in Page([], next: nil) }
        list.load()
        await list.settled()
        return list
    }

    private func insert(_ names: [String], into list: PagedLoader<Int, Note>) throws {
        for name in names { try list.insert(NoteChange.create(Note(id: name, text: name)), label: name) }
    }

    /// Starts the sender, and checks that `later` is sent only after the response to the first.
    private func check(_ ada: AccountOutbox, sends later: String, after latch: AsyncLatch) async throws {
        ada.start()
        await bench.server.requests(atLeast: 1)
        try await ada.letOthersRun()
        #expect(bench.received == ["1: new 1"])
        latch.open()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["1: new 1", later])
    }

    @Test(.rule("D32"))
    func `the insertions after a refused one are sent, and stay when it is dismissed`() async throws {
        bench.answer(.status(.badRequest), to: "1")
        let ada = try bench.account(of: bench.open())
        let list = await list(ada)
        try insert(["1", "2"], into: list)
        await waitUntil { ada.status.total == 2 }
        let first = try #require(try await ada.operations().first?.id)
        #expect(try await ada.dependents(of: first).isEmpty)
        ada.start()
        await waitUntil { ada.status.counts == [.refused: 1] }
        #expect(bench.received == ["1: new 1", "2: new 2"])
    }

    @Test(.rule("D32"))
    func `discarding an insertion does not discard a later one, which keeps its order`() async throws {
        let latch = AsyncLatch()
        bench.answer(.status(.noContent), to: "1", after: latch)
        let ada = try bench.account(of: bench.open())
        let list = await list(ada)
        try insert(["1", "2", "3"], into: list)
        await waitUntil { ada.status.total == 3 }
        let second = try await ada.operations()[1].id
        #expect(try await ada.discard(second).count == 1)
        try await check(ada, sends: "3: new 3", after: latch)
    }

    @Test(.rule("D32"))
    func `if an insertion could not be saved, the next one follows the one before it`() async throws {
        let latch = AsyncLatch()
        bench.answer(.status(.noContent), to: "1", after: latch)
        let ada = try bench.account(of: bench.open(limits: Outbox.Limits(bytes: 2000)))
        let list = await list(ada)
        try list.insert(NoteChange.create(Note(id: "1", text: "1")))
        try list.insert(NoteChange.create(Note(id: "2", text: String(repeating: "x", count: 5000))))
        try list.insert(NoteChange.create(Note(id: "3", text: "3")))
        await waitUntil { ada.status.total == 2 }
        try await check(ada, sends: "3: new 3", after: latch)
    }

    @Test(.rule("D32"))
    func `a refused insertion that is sent again keeps its position`()
        async throws
    {
        let latch = AsyncLatch()
        bench.answer(.status(.badRequest), .status(.noContent), to: "1")
        bench.answer(.status(.noContent), to: "2", after: latch)
        let ada = try bench.account(of: bench.open())
        let list = await list(ada)
        ada.start()
        try insert(["1"], into: list)
        await waitUntil { ada.status.counts == [.refused: 1] }
        try insert(["2"], into: list)
        await bench.server.requests(atLeast: 2)
        await ada.networkChanged(isReachable: false)
        try await ada.retry(try #require(try await ada.operations().first?.id))
        await waitUntil { list.ids.count == 2 }
        #expect(list.ids == ["2", "1"])
        try insert(["3"], into: list)
        await waitUntil { ada.status.total == 3 }
        await ada.networkChanged(isReachable: true)
        await bench.server.requests(atLeast: 3)
        try await ada.letOthersRun()
        #expect(bench.received == ["1: new 1", "2: new 2", "1: new 1"])
        latch.open()
        try await ada.waitUntilDrained()
        #expect(bench.received.last == "3: new 3")
    }

    @Test(.rule("D32"))
    func `an insertion waits for the insertions of an earlier process`() async throws {
        let latch = AsyncLatch()
        bench.answer(.status(.noContent), to: "1", after: latch)
        let old = try bench.account(of: bench.open())
        try insert(["1"], into: await list(old))
        await waitUntil { old.status.total == 1 }
        let ada = try bench.account(of: bench.open())
        let later = await list(ada)
        await waitUntil { later.ids == ["1"] }
        try insert(["2"], into: later)
        await waitUntil { ada.status.total == 2 }
        try await check(ada, sends: "2: new 2", after: latch)
    }
}
