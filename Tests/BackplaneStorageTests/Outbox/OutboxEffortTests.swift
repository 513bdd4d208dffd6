import BackplaneConcurrency
import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// The statements that an outbox runs: each change costs the same, however many wait.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxEffortTests {
    private let bench = OutboxBench()

    /// Returns the statements that `body` runs in the file.
    private func statements(of outbox: Outbox, during body: () async throws -> Void) async throws -> [String] {
        let statements = Watched<[String]>([])
        try await outbox.file.database.write { database in
            database.trace { event in statements.update { $0.append("\(event)") } }
        }
        try await body()
        try await outbox.file.database.write { $0.trace(nil) }
        return statements.value
    }

    @Test(.rule("U5"))
    func `a reader does not remove the compiled statements of the sender`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        let statements = try await statements(of: outbox) {
            try await ada.write("hi", to: "a")
            ada.start()
            try await ada.waitUntilDrained()
            #expect(try await ada.operations(limit: 1).isEmpty)
        }
        // After a change of such a setting, SQLite compiles all statements again.
        #expect(statements.filter { $0.contains("query_only") } == [])
    }

    @Test(.rule("U5"))
    func `saving an operation is one statement`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        // The limits are measured before the first one.
        try await ada.write("1", to: "a")
        let statements = try await statements(of: outbox) {
            for number in 2...4 { try await ada.write("\(number)", to: "a") }
        }
        #expect(statements.filter { $0.hasPrefix("INSERT") }.count == 3)
        // The last ones are those of the end of the trace.
        let others = statements.filter { !$0.hasPrefix("INSERT") }
        #expect(others.allSatisfy { $0.hasPrefix("BEGIN") || $0.hasPrefix("COMMIT") } && others.count <= 2)
    }

    @Test(.rule("U5", "D30"))
    func `without a network, saving a change reads at most one operation, for any number that waits`() async throws {
        let (outbox, count) = (try bench.open(), 200)
        let ada = try bench.account(of: outbox)
        await ada.networkChanged(isReachable: false)
        ada.start()
        let page = NotePage(sending: .durable(ada))
        await page.show("base", tag: "v1")
        try await ada.letOthersRun()
        let statements = try await statements(of: outbox) {
            for number in 1...count {
                try page.note.enqueue(NoteChange.append("\(number)"))
                // So often that the sender looks at the file many times meanwhile.
                if number.isMultiple(of: 10) { await waitUntil { page.note.pending.allSatisfy(\.isSaved) } }
            }
        }
        let reads = statements.filter { $0.hasPrefix("SELECT") && $0.contains("FROM operation") }
        // The limits are measured before the first one.
        let others = reads.filter { !$0.contains("WHERE id = ") }
        #expect(others.count == 1 && others.allSatisfy { $0.contains("count(*)") })
        #expect(reads.count <= count + 1)
    }

    @Test(.rule("D32"), arguments: [10, 40])
    func `in a list with ordered insertions, each step reads only the next insertion`(count: Int) async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        let store = RecordStore<String, Note>(sending: .durable(ada))
        let list = PagedLoader<Int, Note>(store: store, insertsInOrder: true) { _ in Page([], next: nil) }
        list.load()
        await list.settled()
        let statements = try await statements(of: outbox) {
            for number in 1...count {
                try list.insert(NoteChange.create(Note(id: "\(number)", text: "\(number)")))
            }
            await waitUntil { ada.status.total == count }
            ada.start()
            try await ada.waitUntilDrained()
        }
        #expect(bench.received == (1...count).map { "\($0): new \($0)" })
        // A few for each insertion, however many wait before it.
        #expect(statements.filter { $0.contains("SELECT state FROM operation WHERE id") }.count <= 4 * count)
    }

    @Test(.rule("U4"))
    func `a change that needs two others fails with the second one while the first one is under way`() async throws {
        let latch = AsyncLatch()
        bench.server.respond(to: .put, "notes/*") { request in
            switch try request.json([String: String].self)["text"] {
            case "+1":
                await latch.wait()
                return .status(.noContent)
            case "+2": return .status(.badRequest)
            default: return .status(.noContent)
            }
        }
        let ada = try bench.account(of: bench.open())
        let page = NotePage(sending: .eachAlone(ada))
        await page.show("base")
        let (first, second) = (try await page.save(.append("1")), try await page.save(.append("2")))
        _ = try await page.save(.append("3"), after: [first, second])
        ada.start()
        await bench.event("parked: refused")
        await waitUntil { page.pending.contains("+3: failed") }
        while try bench.texts("SELECT isHead FROM operation WHERE label = '+3'") != ["2"] { await Task.yield() }
        latch.open()
        await waitUntil { ada.status.total == 2 }
        #expect(bench.received.sorted() == ["a: +1", "a: +2"])
    }

    @Test(.rule("D30"))
    func `if another process ends an operation after this process read the file, it ends here, too`() async throws {
        let ada = try bench.account(of: bench.open())
        await ada.networkChanged(isReachable: false)
        ada.start()
        let page = NotePage(sending: .durable(ada))
        await page.show("base")
        for number in 1...2 {
            let id = try await page.save(.append("\(number)"))
            try await ada.letOthersRun()
            #expect(page.pending == ["+\(number): queued"])
            try bench.execute("DELETE FROM operation WHERE id = ?", ["\(id)"])
            ada.sender.wake()
            await waitUntil { page.pending == ["+\(number): failed"] }
            page.note.dismiss(id)
        }
    }

    @Test(.rule("D36"))
    func `if an operation waited for a lost one, the next process sends it`() async throws {
        let ada = try bench.account(of: bench.open())
        let first = try await ada.write("1", to: "a").id
        try await ada.write("2", to: "b", after: first)
        #expect(try bench.texts("SELECT blockedBy FROM operation WHERE entity = 'b'") == ["\(first)"])
        try bench.execute("DELETE FROM operation WHERE entity = 'a'")
        let next = try bench.account(of: bench.open())
        next.start()
        try await next.waitUntilDrained()
        #expect(bench.received == ["b: 2"])
    }
}
