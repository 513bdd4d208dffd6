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
    private let latch = AsyncLatch()

    @Test(.rule("D1"))
    func `a change is shown at once, and says that it is saved when it is on the disk`() async throws {
        let (_, page) = try await bench.page()
        // The second one is saved by one statement.
        for number in 1...2 {
            try bench.whileLocked {
                try page.note.enqueue(NoteChange.append("\(number)"))
                #expect(page.note.pending.last?.isSaved == false)
            }
            await waitUntil { page.note.pending.last?.isSaved == true }
        }
        #expect(try bench.texts("SELECT id FROM operation ORDER BY seq") == page.note.pending.map { "\($0.id)" })
    }

    @Test(.rule("D15", "D19", "D42"), arguments: [StorageError.Code.full, .newerVersion])
    func `a change that cannot be saved is undone, and is not sent`(code: StorageError.Code) async throws {
        _ = try bench.open()
        if code == .newerVersion { try bench.execute("INSERT INTO grdb_migrations VALUES ('outbox 1000')") }
        let ada = try bench.account(of: bench.open(limits: Outbox.Limits(operations: 0)))
        ada.start()
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        let change = try page.note.enqueue(NoteChange.append("1"), label: "1")
        await #expect { try await page.note.saved(change) } throws: { ($0 as? FeatureError)?.code == .notSaved }
        #expect(page.pending == ["1: failed"])
        #expect(page.note.value?.text == "base")
        #expect(page.note.pending.first?.error?.code == .notSaved)
        #expect((page.note.pending.first?.error?.cause as? StorageError)?.code == code)
        #expect(bench.received == [])
    }

    @Test(.rule("R6", "A7"))
    func `a change that was not sent does not delay loads, and is applied to each of them`() async throws {
        let (_, page) = try await bench.page()
        _ = try await page.save(.append("!"))
        for text in ["newer", "newest"] {
            page.note.reload()
            await page.answer(text)
            #expect(page.note.value?.text == "\(text)!")
        }
    }

    @Test(.rule("R6", "A7"))
    func `a load is kept for later, also while a later change of the record is being sent`() async throws {
        bench.answer(.status(.noContent), after: latch)
        let ada = try bench.account(of: bench.open())
        await ada.networkChanged(isReachable: true, isMetered: true)
        let page = NotePage(sending: .eachAlone(ada))
        await page.show("base")
        // The first change waits behind this operation, and the second does not.
        try await ada.write("film", to: "b", in: "+1", of: .uploads)
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
        bench.answer(.json(#"{"title": "Busy."}"#, status: .serviceUnavailable))
        let (ada, page) = try await bench.page()
        _ = try await page.save(.append("!"))
        ada.start()
        await waitUntil { page.pending == ["+!: unconfirmed"] && page.note.pending.first?.error != nil }
        #expect(page.note.pending.first?.error?.code == .unconfirmed)
        #expect(page.note.pending.first?.error?.status == 503)
        #expect(page.note.pending.first?.error?.reason == "Busy.")
        await bench.pass(.seconds(3600))
        await bench.event("parked: needsReview")
        #expect(page.pending == ["+!: unconfirmed"])
        #expect(page.note.value?.text == "base!")
    }
}
