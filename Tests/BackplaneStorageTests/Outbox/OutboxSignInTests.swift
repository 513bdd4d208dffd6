import BackplaneFeatures
import BackplaneNetworking
import BackplaneTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import BackplaneStorage

/// A sign-in at any moment after the server has refused the user's credentials.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct OutboxSignInTests {
    private let bench = OutboxBench()

    /// The number of refusals of the current operation.
    private let refusals = Watched(0)
    /// Called with the second refusal, which ends an attempt.
    private let onRefusal = Watched<@Sendable () -> Void>({})

    init() {
        let (refusals, onRefusal, tokens) = (refusals, onRefusal, Watched(0))
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
            if refusal == 2 { onRefusal.value() }
            return .status(refusal <= 2 ? .unauthorized : .noContent)
        }
    }

    @Test(.rule("D34"))
    func `a sign-in counts for an operation, even if the refusal is not yet in the file`() async throws {
        let ada = try bench.account(of: bench.open())
        onRefusal.update { $0 = { ada.resume() } }
        ada.start()
        // Each round has its own order of the sign-in, the end of the attempt and its transaction.
        for round in 1...40 {
            refusals.update { $0 = 0 }
            try await ada.write("\(round)", to: "a").response()
        }
        #expect(Set(bench.keys).count == 40)
        onRefusal.update { $0 = {} }
    }

    @Test(.rule("D34"))
    func `a sign-in counts for an operation, even if the sender is about to write a refusal`() async throws {
        let isRefused = Watched(false)
        let signIn = Watched<@Sendable () -> Void>({})
        let clock = bench.clock
        let outbox = try Outbox(
            file: bench.file,
            kinds: [.notes],
            clock: clock,
            timeOfDay: {
                // The sender asks for the time of a turn. It can do nothing else until this ends,
                // and everybody else has the time for it.
                let isFirst = isRefused.update { isRefused in
                    defer { isRefused = false }
                    return isRefused
                }
                if isFirst {
                    signIn.value()
                    for _ in 0..<200_000 { _ = isRefused.value }
                }
                return Date(timeIntervalSince1970: 1_000_000 + clock.now.offset / .seconds(1))
            },
            jitter: { $0 }
        )
        let ada = try bench.account(of: outbox)
        signIn.update { $0 = { ada.resume() } }
        onRefusal.update { $0 = { isRefused.update { $0 = true } } }
        ada.start()
        for round in 1...5 {
            refusals.update { $0 = 0 }
            try await ada.write("\(round)", to: "a").response()
        }
        #expect(Set(bench.keys).count == 5)
        signIn.update { $0 = {} }
    }

    @Test(.rule("D34"))
    func `after a sign-in, an outcome from before it only repeats the attempt`() {
        let row = OutboxRow(Row(Dictionary(uniqueKeysWithValues: (1...23).map { ("\($0)", nil) })))
        let outcome = OutboxOutcome(row: row, reply: .unauthorized(), attempt: ChangeAttempt(), resumptions: 1)
        guard case .unauthorized = outcome.resumed(before: 1).reply else {
            Issue.record("A refusal after the last sign-in waits for the next one.")
            return
        }
        guard case .stopped = outcome.resumed(before: 2).reply else {
            Issue.record("A refusal before the last sign-in waits for another one.")
            return
        }
        let other = OutboxOutcome(row: row, reply: .noResponse(reason: ""), attempt: ChangeAttempt(), resumptions: 1)
        guard case .noResponse = other.resumed(before: 2).reply else {
            Issue.record("A sign-in changes an outcome that is not about it.")
            return
        }
    }
}
