import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import TestSupport
import Testing

/// Operations that an extension leaves for the app.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxInboxTests {
    private let bench = OutboxBench()
    private let directory = TemporaryDirectory()
    private var folder: URL { directory.file("inbox") }
    private var inbox: OutboxInbox { OutboxInbox(directory: folder) }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

    @Test(.rule("D17"))
    func `the operations of an extension are imported in order, with their keys, and sent`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        ada.start()
        let keys = try (1...3).map { number in
            try inbox.add(.write("\(number)", to: "a"), of: .notes, account: "ada", entity: "a", label: "\(number)")
        }
        #expect(try await outbox.import(inbox) == [])
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "a: 2", "a: 3"])
        #expect(bench.keys == keys.map { "\($0)" })
        #expect(try files() == [])
    }

    @Test(.rule("D17"))
    func `an import that ended before it removed the file saves nothing twice`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        try inbox.add(.write("hi", to: "a"), of: .notes, account: "ada", entity: "a")
        let name = try #require(try files().first)
        let letter = try Data(contentsOf: folder.appending(path: name))
        try await outbox.import(inbox)
        try letter.write(to: folder.appending(path: name))
        try await outbox.import(inbox)
        #expect(try await ada.states == ["a: queued"])
        #expect(try files() == [])
    }

    @Test(.rule("D17"))
    func `a file that cannot be read stays, and the others are imported`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("half a let".utf8).write(to: folder.appending(path: "0.json"))
        try Data("still being written".utf8).write(to: folder.appending(path: "1.json.new"))
        try inbox.add(.write("hi", to: "a"), of: .notes, account: "ada", entity: "a")
        #expect(try await outbox.import(inbox).map(\.lastPathComponent) == ["0.json"])
        #expect(try await ada.states == ["a: queued"])
        #expect(try files().sorted() == ["0.json", "1.json.new"])
        await waitUntil { ada.status.total == 1 }
    }

    @Test(.rule("D17"))
    func `an operation that the outbox refuses stays in the inbox`() async throws {
        let outbox = try bench.open(limits: Outbox.Limits(operations: 1))
        let ada = try bench.account(of: outbox)
        for number in 1...2 {
            try inbox.add(.write("\(number)", to: "a"), of: .notes, account: "ada", entity: "a", label: "\(number)")
        }
        let error = await #expect(throws: StorageError.self) { try await outbox.import(inbox) }
        #expect(error?.code == .full)
        #expect(try await ada.states == ["1: queued"])
        #expect(try files().count == 1)
        ada.start()
        try await ada.waitUntilDrained()
        try await outbox.import(inbox)
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "a: 2"])
    }

    @Test(.rule("D17"))
    func `an operation that cannot be written is reported to the extension`() throws {
        try Data().write(to: folder)
        let error = #expect(throws: StorageError.self) {
            try inbox.add(.write("hi", to: "a"), of: .notes, account: "ada", entity: "a")
        }
        #expect(error?.code == .notSaved)
    }
}
