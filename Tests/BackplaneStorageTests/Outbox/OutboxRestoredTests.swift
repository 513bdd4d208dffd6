import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Changes of an earlier process, and of other stores.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxRestoredTests {
    private let bench = OutboxBench()

    /// Returns the outbox of a process that starts after another one has left a change.
    private func outboxWithChange(_ change: NoteChange = .append("!")) async throws -> AccountOutbox {
        let old = NotePage(sending: .durable(try bench.account(of: bench.open())))
        await old.show("base")
        _ = try await old.save(change)
        return try bench.account(of: bench.open())
    }

    @Test(.rule("R6", "D12"))
    func `changes of an earlier process are visible before the first load`() async throws {
        let ada = try await outboxWithChange()
        let page = NotePage(sending: .durable(ada))
        page.note.load("a")
        await page.loads.requests(atLeast: 1)
        #expect(page.pending == ["+!: queued"])
        #expect(page.note.pending.map(\.isSaved) == [true])
        await page.answer("newer")
        #expect(page.note.value?.text == "newer!")

        ada.start()
        await waitUntil { page.note.pending.isEmpty }
        #expect(bench.received == ["a: +!"])
        #expect(page.note.value?.text == "newer!")
    }

    @Test(.rule("R6"))
    func `stores of one account show each other's changes`() async throws {
        let latch = AsyncLatch()
        bench.answer(.status(.noContent), after: latch)
        let outbox = try bench.open()
        let (ada, other) = (try bench.account(of: outbox), try bench.account(of: outbox))
        let (first, second) = (NotePage(sending: .durable(ada)), NotePage(sending: .durable(other)))
        let bob = NotePage(sending: .durable(try bench.account("bob", of: outbox)))
        await first.show("base")
        await second.show("base")
        await bob.show("base")
        ada.start()
        try first.note.enqueue(NoteChange.append("!"), label: "!")
        await waitUntil { second.pending == ["!: sending"] }
        #expect(second.note.value?.text == "base!")
        #expect(first.pending == ["!: sending"])
        latch.open()
        await waitUntil { first.note.pending.isEmpty && second.note.pending.isEmpty }
        #expect(first.note.value?.text == "base!")
        #expect(second.note.value?.text == "base!")
        #expect(bench.received == ["a: +!"])
        #expect(bob.note.pending.isEmpty)
        #expect(bob.note.value?.text == "base")
    }

    @Test(.rule("R6"))
    func `after the end of a session nothing is shown, and the next session shows the changes again`() async throws {
        let ada = try await outboxWithChange()
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        #expect(page.pending == ["+!: queued"])
        page.store.reset()
        #expect(page.note.pending.isEmpty)
        #expect(page.note.value == nil)
        await page.show("base")
        #expect(page.pending == ["+!: queued"])
        #expect(page.note.value?.text == "base!")
    }

    @Test(.rule("D21"))
    func `a refused change that another process sends is not shown as refused`()
        async throws
    {
        bench.answer(.status(.badRequest), .status(.noContent))
        let ada = try await outboxWithChange()
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        ada.start()
        await waitUntil { page.pending == ["+!: failed"] }
        // A refusal loads the record again.
        await page.answer("base")
        await ada.stop()

        let elsewhere = try bench.account(of: bench.open())
        try await elsewhere.retry(try #require(page.note.pending.first?.id))
        elsewhere.start()
        try await elsewhere.waitUntilDrained()
        await elsewhere.stop()
        page.store.refresh()
        await waitUntil { page.pending == [] }
        // Its loader may have begun to load before the news.
        while page.note.value?.text != "base!" { await page.answer("base!") }
        try page.note.enqueue(NoteChange.append("2"), label: "2")
        #expect(page.note.value?.text == "base!2")
        ada.start()
        await waitUntil { page.note.pending.isEmpty }
        await page.answer("base!2")
        #expect(page.note.value?.text == "base!2")
        #expect(bench.received == ["a: +!", "a: +!", "a: +2"])
    }

    @Test(.rule("R6"))
    func `an item of an earlier process is at the start of every list`()
        async throws
    {
        let old = NoteList(store(try bench.account(of: bench.open())))
        await old.show([])
        for number in 1...2 {
            let change = NoteChange.create(Note(id: "new-\(number)", text: "new"))
            try await old.list.saved(old.list.insert(change, label: "new"), of: "new-\(number)")
        }
        let ada = try bench.account(of: bench.open())
        let records = store(ada)
        let list = NoteList(records)
        list.list.load()
        await list.pages.requests(atLeast: 1)
        #expect(list.list.ids == ["new-2", "new-1"])
        await list.answer([Note(id: "old", text: "old")])
        #expect(list.list.ids == ["new-2", "new-1", "old"])
        let later = NoteList(records)
        await later.show([Note(id: "old", text: "old")])
        #expect(later.list.ids == ["new-2", "new-1", "old"])

        ada.start()
        await waitUntil { list.list.pending(of: "new-1").isEmpty && list.list.pending(of: "new-2").isEmpty }
        #expect(Set(bench.received) == ["new-1: new new", "new-2: new new"])
        await list.answer(["new-1", "new-2", "old"].map { Note(id: $0, text: $0) })
        #expect(list.list.ids == ["new-1", "new-2", "old"])
    }

    @Test(.rule("D10"))
    func `a change that cannot be decoded is reported once, and is still sent`() async throws {
        let ada = try await outboxWithChange()
        try bench.execute("UPDATE operation SET change = CAST('{\"later\": {}}' AS BLOB)")
        // No change of a record is not reported as one.
        try await ada.write("hi", to: "b")
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        await bench.event("cannot show")
        #expect(page.note.pending.isEmpty)
        _ = try await page.save(.append("?"))
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received.filter { $0.hasPrefix("a") } == ["a: +!", "a: +?"])
        #expect(bench.events.value == ["cannot show"])
    }

    @Test(.rule("D4", "D21"))
    func `a change waits for all changes that it needs, and is discarded with any of them`() async throws {
        let ada = try bench.account(of: bench.open())
        let page = NotePage(sending: .eachAlone(ada))
        await page.show("base")
        let (first, second) = (try await page.save(.append("1")), try await page.save(.append("2")))
        _ = try await page.save(.append("3"), after: [first, second])
        for needed in [first, second] {
            #expect(try await ada.dependents(of: needed).map(\.entity) == ["+3"])
        }
        bench.server.respond(to: .put, "notes/*") { request in
            .status(try request.json([String: String].self)["text"] == "+2" ? .badRequest : .noContent)
        }
        ada.start()
        await waitUntil { ada.status.counts == [.refused: 1, .queued: 1] }
        // The third one waits in the file for the user's decision about the second.
        await waitUntil { page.pending == ["+2: failed", "+3: failed"] }
        #expect(page.note.pending.map(\.isSaved) == [true, true])
        #expect(try await ada.discard(second).map(\.entity) == ["+2", "+3"])
        await waitUntil { page.note.pending.isEmpty }
        #expect(page.note.value?.text == "base1")
        #expect(Set(bench.received) == ["a: +1", "a: +2"])
    }

    private func store(_ ada: AccountOutbox) -> RecordStore<String, Note> { RecordStore(sending: .durable(ada)) }

    // MARK: Other windows and processes

    private struct Tick: RecordChange {
        let note: String

        var intent: Intent<[Note]> { .update(note) { $0.text += "!" } }
    }

    @Test(.rule("R6", "A12"))
    func `a change of another window does not fail because this window lacks its item`() async throws {
        let outbox = try bench.open()
        func window(_ mine: AccountOutbox, showing notes: [Note]) async -> Loader<String, [Note]> {
            let sender = ChangeSender<String, [Note]>(as: .notes, through: mine) { (change: Tick, list: String) in
                AuthenticatedIdempotentEndpoint<Void>.write(change.note, to: list)
            }
            let list = Loader<String, [Note]>(store: RecordStore(sending: sender)) { _ in notes }
            list.load("all")
            await list.settled()
            return list
        }
        let ada = try bench.account(of: outbox)
        let first = await window(ada, showing: [Note(id: "a", text: "")])
        let second = await window(try bench.account(of: outbox), showing: [])
        try first.enqueue(Tick(note: "a"), label: "tick")
        await waitUntil { second.pending.map(\.status) == [.queued] }
        ada.start()
        await waitUntil { first.pending.isEmpty && second.pending.isEmpty }
    }

    /// Has the server add each text to the note, and refuse the first of some.
    private func collect(refusing refused: Int = 0) {
        let (text, count) = (Watched("base"), Watched(0))
        bench.server.respond(to: .put, "notes/*") { request in
            let words = try request.json([String: String].self)["text"] ?? ""
            let number = count.update { count in
                count += 1
                return count
            }
            if number <= refused { return .status(.badRequest) }
            let all = text.update { text in
                text += words
                return text
            }
            return .json(#"{"id": "a", "text": "\#(all)"}"#)
        }
    }

    /// A page of notes whose server returns the whole note after each change.
    private func page(_ mine: AccountOutbox) async -> NotePage {
        let page = NotePage(
            sending: ChangeSender(
                as: .notes,
                through: mine,
                confirming: { (note: Note) -> Note? in note },
                endpoint: { (change: NoteChange, note: String) -> AuthenticatedIdempotentEndpoint<Note> in
                    .save(change, of: note)
                }
            )
        )
        await page.show("base")
        return page
    }

    @Test(.rule("A13", "R6"))
    func `if changes were sent in another order than shown, the record is loaded`() async throws {
        collect()
        let (ada, other) = (try bench.account(of: bench.open()), try bench.account(of: bench.open()))
        let (first, second) = (await page(ada), await page(other))
        _ = try await first.save(.append("1"))
        _ = try await second.save(.append("2"))
        // The change of the other process is earlier in the file, and comes to this store later.
        other.resume()
        await waitUntil { second.note.pending.count == 2 }
        other.start()
        await waitUntil { second.note.pending.isEmpty }
        #expect(bench.received == ["a: +1", "a: +2"])
        await second.answer("base+1+2")
        #expect(second.note.value?.text == "base+1+2")
    }

    @Test(.rule("A13", "D21"))
    func `if a refused change is sent again before later ones, the record is loaded`() async throws {
        collect(refusing: 1)
        let ada = try bench.account(of: bench.open())
        let page = await page(ada)
        let refused = try await page.save(.append("1"))
        ada.start()
        await waitUntil { page.pending == ["+1: failed"] }
        await page.answer("base")
        await ada.stop()
        _ = try await page.save(.append("2"))
        try await ada.retry(refused)
        await waitUntil { page.pending == ["+2: queued", "+1: queued"] }
        ada.start()
        await waitUntil { page.note.pending.isEmpty }
        #expect(bench.received == ["a: +1", "a: +1", "a: +2"])
        await page.answer("base+1+2")
        #expect(page.note.value?.text == "base+1+2")
    }

    @Test(.rule("D21", "U4"))
    func `a replaced change that was not refused causes no failure`() async throws {
        let (ada, page) = try await bench.page()
        let first = try await page.save(.append("1"))
        _ = try await page.save(.append("2"), after: [first])
        try await ada.edit(
            first,
            to: AuthenticatedIdempotentEndpoint<Void>.write("+3", to: "a"),
            change: NoteChange.append("3"),
            label: "+3"
        )
        await waitUntil { page.pending == ["+3: queued", "+2: queued"] }
        #expect(page.note.value?.text == "base32")
    }

    @Test(.rule("D30", "R6"), arguments: [HTTPResponse.Status.noContent, .badRequest])
    func `a process that resumes knows which operations another one has sent`(
        status: HTTPResponse.Status
    ) async throws {
        bench.answer(.status(status))
        let (ada, page) = try await bench.page()
        _ = try await page.save(.append("1"))
        let other = try bench.account(of: bench.open())
        other.start()
        try await other.waitUntilDrained()
        ada.resume()
        await waitUntil { page.pending == (status == .noContent ? [] : ["+1: failed"]) }
    }
}
