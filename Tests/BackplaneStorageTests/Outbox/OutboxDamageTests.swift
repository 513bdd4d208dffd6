import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// A row that is damaged or of a newer version, and a full account: each stops only itself.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxDamageTests {
    private let bench = OutboxBench()

    /// Saves an operation of each of two entities, and changes the first one in the file.
    private func outbox(with damage: String) async throws -> (outbox: Outbox, ada: AccountOutbox) {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        for entity in ["a", "b"] {
            try await ada.write("to \(entity)", to: entity, label: "at \(entity)")
        }
        try bench.execute("UPDATE operation SET \(damage) WHERE entity = 'a'")
        return (outbox, ada)
    }

    @Test(
        .rule("D36"),
        arguments: [
            "state = 'scheduled'", "state = x'ff'", "attempts = 'x'", "notBefore = 'x'", "createdAt = x'01'",
            "firstSentAt = 'x'", "version = 'x'", "kind = x'ff'", "checksum = 'x'", "id = 'no key'", "label = x'ff'",
            "dependsOn = x'ff'", "change = 7", "status = 'x'", "entityTag = x'ff'", "request = 5",
        ]
    )
    func `a damaged row stops no other operation, and can be exported and discarded`(
        damage: String
    ) async throws {
        let (outbox, ada) = try await outbox(with: damage)
        ada.start()
        while try await ada.operations(limit: 10).contains(where: { $0.entity == "b" }) { await Task.yield() }
        #expect(bench.received.contains("b: to b"))
        // Without its key, the server could carry it out twice.
        if damage.hasPrefix("id") { #expect(bench.received == ["b: to b"]) }
        #expect(try await ada.readStatus().total <= 1)
        _ = try await outbox.export()
        await ada.stop()
        try await ada.discardAll()
        #expect(try await ada.states == [])
        #expect(try bench.texts("SELECT id FROM operation") == [])
    }

    @Test(.rule("D36"), arguments: [false, true])
    func `an operation in a state of a newer version waits for an update, and is shown`(isFileNewer: Bool) async throws
    {
        let (_, old) = try await outbox(with: "state = 'scheduled'")
        if isFileNewer { try bench.execute("INSERT INTO grdb_migrations VALUES ('outbox 1000')") }
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        #expect(outbox.isReadOnly == isFileNewer)
        #expect(try await ada.states == ["at a: waitingForUpdate", "at b: queued"])
        #expect(try await ada.readStatus().total == 2)
        await waitUntil { ada.status.counts == [.waitingForUpdate: 1, .queued: 1] }
        let id = try #require(try await ada.operations().first).id
        await #expect(throws: StorageError.self) { try await ada.retry(id) }
        await #expect(throws: StorageError.self) { try await ada.edit(id, to: .write("new", to: "a")) }
        ada.resume()
        try await ada.letOthersRun()
        #expect(try bench.texts("SELECT state FROM operation WHERE entity = 'a'") == ["scheduled"])
        if !isFileNewer { #expect(try await ada.discard(id).count == 1) }
        await old.stop()
    }

    @Test(.rule("D10"), arguments: ["checksum = checksum + 1", "request = CAST('PUT' AS BLOB)", "version = 2"])
    func `if an operation cannot be sent as it was saved, it is refused with a reason`(damage: String) async throws {
        let (_, ada) = try await outbox(with: damage)
        ada.start()
        await bench.event("parked: refused")
        try await ada.waitUntilDrained()
        #expect(try await ada.states == ["at a: refused"])
        #expect(try await ada.operations().first?.reason?.isEmpty == false)
        #expect(bench.received == ["b: to b"])
    }

    @Test(.rule("D36"))
    func `if an account is full, the inbox files of other accounts are still imported`() async throws {
        let directory = TemporaryDirectory()
        let inbox = OutboxInbox(directory: directory.file("inbox"))
        for number in 1...3 {
            try inbox.add(.write("\(number)", to: "a"), of: .notes, account: "ada", entity: "a", label: "\(number)")
        }
        try inbox.add(.write("4", to: "b"), of: .notes, account: "bob", entity: "b", label: "4")
        let outbox = try bench.open(limits: Outbox.Limits(operations: 1))
        let (ada, bob) = (try bench.account("ada", of: outbox), try bench.account("bob", of: outbox))
        #expect(await code { try await outbox.import(inbox) } == .full)
        #expect(try await ada.states == ["1: queued"])
        #expect(try await bob.states == ["4: queued"])
        ada.start()
        try await ada.waitUntilDrained()
        await #expect(throws: StorageError.self) { try await outbox.import(inbox) }
        try await ada.waitUntilDrained()
        try await outbox.import(inbox)
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: 1", "a: 2", "a: 3"])
    }

    @Test(.rule("D36"))
    func `an inbox file with the key of another account stops only its own entity`() async throws {
        let directory = TemporaryDirectory()
        let inbox = OutboxInbox(directory: directory.file("inbox"))
        let (outbox, ada, bob) = try bench.twoUsers()
        let key = try await bob.write("1", to: "b").id
        try inbox.add(.write("2", to: "a"), of: .notes, account: "ada", entity: "a", key: key)
        try inbox.add(.write("3", to: "c"), of: .notes, account: "ada", entity: "c", label: "3")
        #expect(await code { try await outbox.import(inbox) } == .notSaved)
        #expect(try await ada.states == ["3: queued"])
    }
}
