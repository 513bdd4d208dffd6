import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import TestSupport
import Testing

@testable import BackplaneStorage

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
    func `if an import ends before it removes the file, nothing is saved twice`() async throws {
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

    @Test(.rule("D39"))
    func `if an inbox file stays, it is not imported again, even after its operation is confirmed`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        try inbox.add(.write("hi", to: "a"), of: .notes, account: "ada", entity: "a")
        // The process ends before it removes the file, or must not remove it.
        _ = try await outbox.importLetters(of: inbox) { _ in throw Offline() }
        #expect(try files().count == 1)
        ada.start()
        try await ada.waitUntilDrained()
        let next = try bench.open()
        try await next.import(inbox)
        #expect(try await bench.account(of: next).states == [])
        #expect(try files() == [])
        #expect(bench.received == ["a: hi"])
    }

    @Test(.rule("D39"))
    func `an operation of the inbox is forgotten when its file is removed`() async throws {
        let outbox = try bench.open()
        let other = OutboxInbox(directory: directory.file("other"))
        for inbox in [inbox, other] {
            try inbox.add(.write("hi", to: "a"), of: .notes, account: "ada", entity: "a")
            _ = try await outbox.importLetters(of: inbox) { _ in throw Offline() }
        }
        let known = { try self.bench.texts("SELECT name FROM fact WHERE name LIKE 'letter %'").count }
        #expect(try known() == 2)
        try await outbox.import(inbox)
        #expect(try known() == 1)
        try await outbox.import(other)
        #expect(try known() == 0)
    }

    @Test(.rule("D17"))
    func `an imported operation has the account, the entity, the version and the label of its file`() async throws {
        let outbox = try bench.open()
        let kind = OutboxKind("notes", version: 3)
        let id = try inbox.add(.write("hi", to: "a"), of: kind, account: "bob", entity: "mine", label: "A link")
        try await outbox.import(inbox)
        let operation = try #require(try await bench.account("bob", of: outbox).operations(limit: 2).first)
        #expect(operation.id == id)
        #expect(operation.kind == "notes")
        #expect(operation.version == 3)
        #expect(operation.entity == "mine")
        #expect(operation.label == "A link")
    }

    @Test(.rule("D17"), arguments: [false, true])
    func `an inbox file without a key or a version stays, and only its owner can read it`(
        hasKey: Bool
    ) async throws {
        try inbox.add(.write("hi", to: "a"), of: .notes, account: "ada", entity: "a")
        let file = folder.appending(path: try #require(try files().first))
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        var letter = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        if hasKey { letter["version"] = 0 } else { letter["id"] = "no key" }
        try JSONSerialization.data(withJSONObject: letter).write(to: file)
        #expect(try await bench.open().import(inbox).count == 1)
        #expect(try files().count == 1)
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
        #expect(await code { try await outbox.import(inbox) } == .full)
        #expect(try await ada.states == ["1: queued"])
        #expect(try files().count == 1)
        ada.start()
        try await ada.waitUntilDrained()
        try await outbox.import(inbox)
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "a: 2"])
    }

    @Test(.rule("D17"))
    func `if an operation cannot be written, the extension gets an error`() throws {
        try Data().write(to: folder)
        let error = #expect(throws: StorageError.self) {
            try inbox.add(.write("hi", to: "a"), of: .notes, account: "ada", entity: "a")
        }
        #expect(error?.code == .notSaved)
    }
}
