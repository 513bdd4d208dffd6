import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// The file of an outbox: it is never replaced, and a copy, damage and other versions are noticed.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxFileTests {
    private let bench = OutboxBench()

    private func permissions(of name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: bench.directory.file(name).path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test(.rule("D2"))
    func `no credentials are in the files, and only their owner can use them`() async throws {
        bench.answer(.status(.serviceUnavailable))
        let outbox = try bench.open()
        // The tokens must not be found as the name of the account.
        let ada = try bench.account("ada", of: outbox, through: bench.controller(of: "secret-token"))
        try await ada.write("my words", to: "a")
        ada.start()
        try await ada.attempted(1)
        let names = try bench.directory.contents
        #expect(names == ["", "-install", "-lock", "-reserve", "-shm", "-wal"].map { "outbox.sqlite\($0)" })
        for name in names {
            #expect(try permissions(of: name) == 0o600)
            let bytes = try Data(contentsOf: bench.directory.file(name))
            for secret in ["Bearer", "Authorization", "secret-token"] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil)
            }
        }
        #expect(bench.bearers == ["secret-token"])
    }

    @Test(.rule("D2"))
    func `the credentials of an endpoint are not in the file`()
        async throws
    {
        let ada = try bench.account(of: bench.open())
        let endpoint = AuthenticatedIdempotentEndpoint<Void>(
            .put("notes/a", headers: [.authorization: "Bearer secret-token"], body: .json(["text": "hi"]))
        )
        _ = try await ada.enqueue(endpoint, of: .notes, entity: "a")
        #expect(try bench.texts("SELECT id FROM operation WHERE instr(request, 'secret-token') > 0") == [])
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.bearers == ["ada"])
    }

    @Test(.rule("D1", "D2"))
    func `when the call returns, the file has everything that a later process needs to send the operation`()
        async throws
    {
        let outbox = try bench.open()
        let ada = try bench.account("ada", of: outbox)
        let id = try await ada.write("hi", to: "a", in: "a note").id
        let columns = ["id", "account", "entity", "kind", "version", "CAST(request AS TEXT)"]
        let texts = try bench.texts("SELECT \(columns.joined(separator: " || '|' || ")) FROM operation")
        let request = "PUT notes/a\nContent-Type: application/json\n\n" + #"{"text":"hi"}"#
        #expect(texts == ["\(id)|ada|a note|notes|1|\(request)"])
    }

    @Test(.rule("D16"))
    func `a file that is not a database is refused, does not change, and can be copied`() throws {
        let contents = Data(repeating: 0x20, count: 4096)
        try contents.write(to: bench.file)
        let error = #expect(throws: StorageError.self) { try bench.open() }
        #expect(error?.code == .unreadable)
        #expect(try Data(contentsOf: bench.file) == contents)
        let copies = TemporaryDirectory()
        try Outbox.copyFiles(of: bench.file, to: copies.url)
        #expect(try Data(contentsOf: copies.file("outbox.sqlite")) == contents)
    }

    @Test(.rule("D16"))
    func `a file that cannot be opened is not replaced by a new one`() throws {
        let missing = bench.directory.file("missing/outbox.sqlite")
        let error = #expect(throws: StorageError.self) { try bench.open(missing) }
        #expect(error?.code == .cannotOpen)
        #expect(try bench.directory.contents == [])
    }

    @Test(.rule("D16"))
    func `a copy from a backup sends nothing without a decision of the user`() async throws {
        let ada = try bench.account(of: bench.open())
        try await ada.write("hi", to: "a")
        let device = TemporaryDirectory()
        try Outbox.copyFiles(of: bench.file, to: device.url)
        let restored = try bench.account(of: bench.open(device.file("outbox.sqlite")))
        restored.start()
        try await restored.letOthersRun()
        #expect(try await restored.states == ["a: needsReview"])
        #expect(bench.received == [])
        // The original goes on.
        ada.start()
        try await ada.waitUntilDrained()
        #expect(bench.received == ["a: hi"])
    }

    @Test(.rule("D16"))
    func `in a copy from a backup, refused operations and conflicts keep their states`() async throws {
        let ada = try bench.account(of: bench.open())
        for state in DeliveryState.allCases {
            let entity = state.rawValue
            try await ada.write("hi", to: "a", in: entity)
            try bench.execute("UPDATE operation SET state = ?1 WHERE entity = ?1", [entity])
        }
        let device = TemporaryDirectory()
        try Outbox.copyFiles(of: bench.file, to: device.url)
        let restored = try bench.account(of: bench.open(device.file("outbox.sqlite")))
        let states = try await restored.operations(limit: 10).map(\.state)
        #expect(states == DeliveryState.allCases.map { [.refused, .conflict].contains($0) ? $0 : .needsReview })
    }

    @Test(.rule("D8", "D16"))
    func `processes that open a new file at once wait for each other`() async throws {
        let clock = bench.clock
        let file = bench.file
        let outboxes = try await withThrowingTaskGroup(of: Outbox.self) { group in
            for _ in 0..<16 { group.addTask { try Outbox(file: file, kinds: [.notes], clock: clock) } }
            var opened: [Outbox] = []
            for try await outbox in group { opened.append(outbox) }
            return opened
        }
        for (number, outbox) in outboxes.enumerated() {
            let ada = try bench.account(of: outbox)
            try await ada.write("hi", to: "a", label: "\(number)")
        }
        let states = try await bench.account(of: bench.open()).states
        #expect(states == (0..<16).map { "\($0): queued" })
    }

    @Test(.rule("D19"))
    func `a file of a newer version can be read and exported, and nothing else`() async throws {
        let old = try bench.account(of: bench.open())
        let id = try await old.write("hi", to: "a").id
        try bench.execute("INSERT INTO grdb_migrations VALUES ('outbox 1000')")

        let outbox = try bench.open()
        #expect(outbox.isReadOnly)
        let ada = try bench.account(of: outbox)
        #expect(try await ada.states == ["a: queued"])
        let export = String(decoding: try await outbox.export(), as: UTF8.self)
        #expect(export.contains("\(id)"))
        #expect(await code { try await ada.write("2", to: "a") } == .newerVersion)
        #expect(await code { try await ada.discardAll() } == .newerVersion)
        await #expect(throws: StorageError.self) { try await ada.discard(id) }
        let sender = ada.sender
        await sender.start(for: ada, as: ada.controller.signIn, order: sender.order())
        #expect(await !sender.canSend)
        #expect(bench.events.value == [])
        #expect(try bench.texts("SELECT id FROM operation") == ["\(id)"])
    }

    @Test(.rule("D19"))
    func `a file of the first version opens, and its bytes are sent unchanged`() async throws {
        try OutboxGolden.writeVersion1(to: bench.file)
        let ada = try bench.account(of: bench.open())
        #expect(try await ada.states == ["An old note: queued"])
        ada.start()
        try await ada.waitUntilDrained()
        let request = try #require(bench.server.requests.first)
        #expect(request.body == Data(OutboxGolden.body.utf8))
        #expect(bench.keys == [OutboxGolden.key])
        #expect(bench.conditions == [#""tag""#])
        #expect(try bench.texts("SELECT new FROM alias") == ["server-1"])
    }

    @Test(.rule("D10"))
    func `an operation of a kind that this version lacks is parked, and is not lost`() async throws {
        let old = try bench.account(of: bench.open())
        try await old.write("film", to: "a", of: .uploads)
        let new = try bench.account(of: bench.open(kinds: [.notes]))
        new.start()
        await bench.event("parked: refused")
        #expect(try await new.operations().first?.reason?.contains("uploads") == true)
        // A version of the app that has the kind again sends it.
        await new.stop()
        let latest = try bench.account(of: bench.open())
        latest.start()
        let refused = try #require(try await latest.operations().first)
        try await latest.retry(refused.id)
        try await latest.waitUntilDrained()
        #expect(bench.received == ["a: film"])
    }

    @Test(.rule("D10", "D19"), arguments: [1, 2])
    func `an operation of an earlier version is sent only if its kind accepts it`(
        oldest: Int
    ) async throws {
        let old = try bench.account(of: bench.open())
        try await old.write("hi", to: "a")
        let bytes = try bench.texts("SELECT hex(request) FROM operation")
        let newer = OutboxKind("notes", version: 2, readingFrom: oldest)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        let new = try bench.account(of: bench.open(kinds: [newer]), through: bench.controller(encoder: encoder))
        #expect(try bench.texts("SELECT hex(request) FROM operation") == bytes)
        new.start()
        if oldest == 1 {
            try await new.waitUntilDrained()
            #expect(bench.server.requests.first?.body == Data(#"{"text":"hi"}"#.utf8))
        } else {
            await bench.event("parked: refused")
            #expect(bench.received == [])
        }
    }
}
