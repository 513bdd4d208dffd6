import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// The traces of operations that are gone.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct OutboxTracesTests {
    private let bench = OutboxBench()
    /// Long enough for pages of their own.
    private let words = (1...200).map { "secret words \($0)" }.joined(separator: ", ")

    /// Whether the words of the user are in one of the files.
    private func hasWords() throws -> Bool {
        try bench.directory.contents.contains { name in
            try Data(contentsOf: bench.directory.file(name)).range(of: Data("secret words".utf8)) != nil
        }
    }

    private func enqueue(_ ada: AccountOutbox) async throws -> IdempotencyKey {
        let key = try await ada.write(words, to: "a", label: words).id
        #expect(try hasWords())
        return key
    }

    @Test(.rule("D40"))
    func `when the sender has ended its work, the files have no text of a confirmed operation`() async throws {
        let ada = try bench.account(of: bench.open())
        _ = try await enqueue(ada)
        ada.start()
        try await ada.waitUntilDrained()
        await ada.stop()
        #expect(try !hasWords())
    }

    @Test(.rule("D40"), arguments: ["one", "all", "edit"])
    func `the files have no text of a discarded or replaced operation`(way: String) async throws {
        let ada = try bench.account(of: bench.open())
        let key = try await enqueue(ada)
        switch way {
        case "one": try await ada.discard(key)
        case "all": try await ada.discardAll()
        default: try await ada.edit(key, to: .write("other", to: "a"), label: "other")
        }
        #expect(try !hasWords())
    }

    @Test(.rule("D40"))
    func `a launch removes the texts that the last process has left in the log`() async throws {
        let old = try bench.account(of: bench.open())
        let key = try await enqueue(old)
        // As by a process that ends after the transaction.
        try await old.outbox.file.change { try $0.run("DELETE FROM operation WHERE id = ?", ["\(key)"]) }
        #expect(try hasWords())
        _ = try bench.open()
        #expect(try !hasWords())
    }

    @Test(.rule("D40"))
    func `an ID that the server has replaced is known for a month after the next launch`() throws {
        _ = try bench.open()
        try bench.execute("INSERT INTO alias (account, old, new) VALUES ('ada', 'local', 'server')")
        _ = try bench.open()
        bench.clock.advance(by: .seconds(29 * 86_400))
        _ = try bench.open()
        #expect(try bench.texts("SELECT old FROM alias") == ["local"])
        bench.clock.advance(by: .seconds(2 * 86_400))
        _ = try bench.open()
        #expect(try bench.texts("SELECT old FROM alias") == [])
    }

    @Test(.rule("D40"))
    func `a launch removes the leases of processes that have ended`() throws {
        _ = try bench.open()
        try bench.execute("INSERT INTO lease VALUES ('ada', '\(Int32.max)/process/sender', 0)")
        try bench.execute("INSERT INTO lease VALUES ('bob', '1/process/sender', 0)")
        _ = try bench.open()
        #expect(try bench.texts("SELECT account FROM lease") == ["bob"])
    }

    @Test(.rule("D40"))
    func `an account without objects leaves nothing in memory`() async throws {
        let outbox = try bench.open()
        let kept = try bench.account("kept", of: outbox)
        for number in 1...10 {
            let account = try bench.account("user \(number)", of: outbox)
            try await account.write("hi", to: "a")
        }
        while outbox.knownAccounts > 1 { await Task.yield() }
        #expect(kept.account == "kept")
    }
}
