import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// A log-in at any moment after the server has refused the user's credentials.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct OutboxLogInTests {
    private let bench = OutboxBench()

    @Test(.rule("D34"))
    func `a log-in between a refusal and its end in the file counts for the operation`() async throws {
        let refusals = Watched(0)
        let account = Watched<AccountOutbox?>(nil)
        let tokens = Watched(0)
        bench.server.respond(to: .post, "refresh") { _ in
            let number = tokens.update { number in
                number += 1
                return number
            }
            return .json(#"{"access_token":"ada-\#(number)","refresh_token":"refresh-ada"}"#)
        }
        bench.server.respond(to: .put, "notes/*") { _ in
            let refusal = refusals.update { refusals in
                refusals += 1
                return refusals
            }
            // The second refusal is the end of the attempt, and the user logs in again meanwhile.
            if refusal == 2 { account.value?.resume() }
            return .status(refusal <= 2 ? .unauthorized : .noContent)
        }
        let ada = try bench.account(of: bench.open())
        account.update { $0 = ada }
        ada.start()
        // Each round has its own order of the log-in, the end of the attempt and its transaction.
        for round in 1...40 {
            refusals.update { $0 = 0 }
            try await ada.enqueue(.write("\(round)", to: "a"), of: .notes, entity: "a").response()
        }
        #expect(Set(bench.keys).count == 40)
        account.update { $0 = nil }
    }

    @Test(.rule("D34"))
    func `an outcome from before a log-in only repeats the attempt`() {
        let row = OutboxRow(Row())
        let outcome = OutboxOutcome(row: row, reply: .unauthorized(), attempt: OutboxAttempt(), resumptions: 1)
        guard case .unauthorized = outcome.resumed(before: 1).reply else {
            Issue.record("A refusal after the last log-in waits for the next one.")
            return
        }
        guard case .stopped = outcome.resumed(before: 2).reply else {
            Issue.record("A refusal before the last log-in waits for another one.")
            return
        }
        let other = OutboxOutcome(row: row, reply: .noResponse(reason: ""), attempt: OutboxAttempt(), resumptions: 1)
        guard case .noResponse = other.resumed(before: 2).reply else {
            Issue.record("A log-in changes an outcome that is not about it.")
            return
        }
    }
}
