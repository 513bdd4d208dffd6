import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// A change of a record behaves with an outbox as it does without one.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxRecordTests {
    private let bench = OutboxBench()
    private let gate = AsyncLatch()

    @Test(.rule("R6"), arguments: [false, true])
    func `the same feature works with changes in memory and with changes that survive`(isDurable: Bool) async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(.noContent), after: gate)
        let ada = try bench.account(of: bench.open())
        ada.start()
        let page = NotePage(sending: try isDurable ? .durable(ada) : .inMemory(bench.controller()))
        await page.show("base")
        try page.note.enqueue(NoteChange.append("1"), label: "1")
        try page.note.enqueue(NoteChange.append("2"), label: "2")
        // In the same turn.
        #expect(page.note.value?.text == "base12")
        #expect(page.note.pending.map(\.label) == ["1", "2"])
        await waitUntil { page.pending == ["1: sending", "2: queued"] }
        #expect(bench.received.allSatisfy { $0 == "a: +1" })
        gate.open()
        await waitUntil { page.note.pending.isEmpty }
        #expect(page.note.value?.text == "base12")
        #expect(bench.received == ["a: +1", "a: +2"])
        #expect(Set(bench.keys).count == 2)
        await page.answer("base12, as loaded")
        #expect(page.note.value?.text == "base12, as loaded")
        #expect(page.loads.ids.count == 2)
    }

    @Test(.rule("R6", "A4"), arguments: [false, true])
    func `a refusal undoes the change, and no other`(isDurable: Bool) async throws {
        bench.server.respond(to: .put, "notes/*", after: gate) { request in
            try request.json([String: String].self)["text"] == "+1"
                ? .json(#"{"detail": "No."}"#, status: .forbidden) : .status(.noContent)
        }
        let ada = try bench.account(of: bench.open())
        ada.start()
        // An entity of its own for each change, so that the refused one blocks no other.
        let page = NotePage(sending: try isDurable ? .eachAlone(ada) : .inMemory(bench.controller()))
        await page.show("base")
        try page.note.enqueue(NoteChange.append("1"), label: "1")
        try page.note.enqueue(NoteChange.append("2"), label: "2")
        #expect(page.note.value?.text == "base12")
        gate.open()
        await waitUntil { page.pending == ["1: failed"] }
        #expect(page.note.value?.text == "base2")
        let error = try #require(page.note.pending.first?.error)
        #expect(error.code == .rejected)
        #expect(error.status == 403)
        #expect(error.reason == "No.")
        page.note.dismiss(try #require(page.note.pending.first?.id))
        #expect(page.note.pending.isEmpty)
    }

    @Test(.rule("D1"))
    func `a change is shown at once, and says that it is saved when it is on the disk`() async throws {
        let ada = try bench.account(of: bench.open())
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        try bench.whileLocked {
            try page.note.enqueue(NoteChange.append("1"))
            #expect(page.note.pending.map(\.isSaved) == [false])
        }
        await waitUntil { page.note.pending.map(\.isSaved) == [true] }
        #expect(try bench.texts("SELECT id FROM operation") == page.note.pending.map { "\($0.id)" })
    }

    @Test(.rule("D15"))
    func `a change that cannot be saved is undone, and is not sent`() async throws {
        let ada = try bench.account(of: bench.open(limits: Outbox.Limits(operations: 0)))
        ada.start()
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        try page.note.enqueue(NoteChange.append("1"), label: "1")
        await waitUntil { page.pending == ["1: failed"] }
        #expect(page.note.value?.text == "base")
        #expect(page.note.pending.first?.error?.code == .notSaved)
        #expect((page.note.pending.first?.error?.cause as? StorageError)?.code == .full)
        #expect(bench.received == [])
    }

    @Test(.rule("D19"))
    func `a change is undone at once if a newer app has written the file`() async throws {
        _ = try bench.open()
        try bench.execute("INSERT INTO grdb_migrations VALUES ('outbox 1000')")
        let page = NotePage(sending: .durable(try bench.account(of: bench.open())))
        await page.show("base")
        try page.note.enqueue(NoteChange.append("1"), label: "1")
        await waitUntil { page.pending == ["1: failed"] }
        #expect(page.note.value?.text == "base")
        #expect((page.note.pending.first?.error?.cause as? StorageError)?.code == .newerVersion)
    }

    @Test(.rule("R6", "A7"))
    func `a change that was not sent holds no loads, and is applied to each of them`() async throws {
        let ada = try bench.account(of: bench.open())
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        _ = try await page.save(.append("!"))
        for text in ["newer", "newest"] {
            page.note.reload()
            await page.answer(text)
            #expect(page.note.value?.text == "\(text)!")
        }
    }

    @Test(.rule("R6", "A7"))
    func `a load during an attempt is set aside until its outcome is known`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(.noContent), after: gate)
        let ada = try bench.account(of: bench.open())
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        _ = try await page.save(.append("!"))
        ada.start()
        await bench.server.requests(atLeast: 1)
        page.note.reload()
        // It contains the change, but the record cannot know that.
        await page.answer("server!")
        #expect(page.note.value?.text == "base!")
        gate.open()
        await waitUntil { page.note.pending.isEmpty }
        #expect(page.note.value?.text == "base!")
        await page.answer("server!")
        #expect(page.note.value?.text == "server!")
    }

    @Test(.rule("R6", "A7"))
    func `a load is set aside while a later change of the record is under way, too`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .status(.noContent), after: gate)
        let ada = try bench.account(of: bench.open())
        await ada.networkChanged(to: .metered)
        let page = NotePage(sending: .eachAlone(ada))
        await page.show("base")
        // The first change waits behind this operation, and the second does not.
        _ = try await ada.enqueue(.write("film", to: "b"), of: .uploads, entity: "+1")
        _ = try await page.save(.append("1"))
        _ = try await page.save(.append("2"))
        ada.start()
        await bench.server.requests(atLeast: 1)
        #expect(bench.received == ["a: +2"])
        page.note.reload()
        await page.answer("base2")
        #expect(page.note.value?.text == "base12")
    }

    @Test(.rule("A5", "D14"))
    func `a change whose outcome is unknown stays visible, with the reason`() async throws {
        bench.server.respond(to: .put, "notes/*", with: .json(#"{"title": "Busy."}"#, status: .serviceUnavailable))
        let ada = try bench.account(of: bench.open())
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        _ = try await page.save(.append("!"))
        ada.start()
        await waitUntil { page.pending == ["+!: unconfirmed"] && page.note.pending.first?.error != nil }
        #expect(page.note.pending.first?.error?.code == .unconfirmed)
        #expect(page.note.pending.first?.error?.status == 503)
        #expect(page.note.pending.first?.error?.reason == "Busy.")
        await bench.clock.sleepers(atLeast: 1)
        bench.clock.advance(by: .seconds(3600))
        await bench.event("parked: needsReview")
        #expect(page.pending == ["+!: unconfirmed"])
        #expect(page.note.value?.text == "base!")
    }
}
