import BackplaneConformance
import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) @MainActor struct ChangeSenderContractTests {
    /// A sender that says that everything was carried out, and sends nothing.
    private static var idle: ChangeSender<String, [String]> {
        ChangeSender { (_: ChangeSenderContract.Change, _: String, _: IdempotencyKey) in }
    }

    @Test func `each clause has its own description`() {
        let sentences = ChangeSenderContract.allClauses.map(\.description)
        #expect(sentences.count > 10)
        #expect(Set(sentences).count == sentences.count)
    }

    @Test func `a violated clause fails the test once, at the caller's line`() async throws {
        let clause = try #require(
            ChangeSenderContract.allClauses.first { $0.description == "a caller receives the refusal of its change" }
        )
        let failures = await failuresLater { await clause.check { _ in Self.idle } }
        #expect(failures.map(\.line) == [#line - 1])
        #expect(failures.first?.message.contains("The call returned after a refusal.") == true)
    }

    @Test func `a sender that cannot be created fails the test`() async throws {
        struct NoFile: Error {}
        let clause = try #require(ChangeSenderContract.allClauses.first)
        let failures = await failuresLater { await clause.check { _ in throw NoFile() } }
        #expect(failures.count == 1)
    }

    @Test func `if a check hangs, the message says what it waits for`() async throws {
        let clause = try #require(
            ChangeSenderContract.allClauses.first { $0.description.hasPrefix("a change without a response") }
        )
        let failures = await failuresLater {
            await clause.check(within: .milliseconds(50)) { _ in Self.idle }
        }
        #expect(failures.count == 1)
        #expect(failures.first?.message.contains("It waited until the change was unconfirmed") == true)
    }
}
