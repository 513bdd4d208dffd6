import BackplaneConformance
import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import TestSupport
import Testing

/// A feature cannot tell whether its changes are kept in memory or in the file of an outbox.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ChangeContractTests {
    private let directory = TemporaryDirectory()

    @Test(.rule("U3", "R6"), arguments: ChangeSenderContract.allClauses)
    func `changes in memory keep the contract`(_ clause: ChangeSenderContract.Clause) async {
        await clause.check { trial in
            ChangeSender { (change: ChangeSenderContract.Change, list: String, key: IdempotencyKey) in
                try await trial.controller.request(change.endpoint(of: list), key: "\(key)")
            }
        }
    }

    @Test(.rule("U3", "R6"), arguments: ChangeSenderContract.allClauses)
    func `changes that survive keep the contract`(_ clause: ChangeSenderContract.Clause) async {
        await check(clause, file: directory.file("outbox.sqlite"))
    }

    @Test(.rule("U3", "U6"), arguments: ChangeSenderContract.allClauses)
    func `changes of an outbox without a file keep the contract`(_ clause: ChangeSenderContract.Clause) async {
        await check(clause, file: nil)
    }

    private func check(_ clause: ChangeSenderContract.Clause, file: URL?) async {
        var former: AccountOutbox?
        await clause.check { trial in
            // The former process has ended.
            await former?.stop()
            let clock = trial.clock
            let outbox = try Outbox(
                file: file,
                kinds: [.notes],
                clock: clock,
                timeOfDay: { Date(timeIntervalSince1970: 1_000_000 + clock.now.offset / .seconds(1)) },
                jitter: { $0 }
            )
            let mine = outbox.account("ada", through: trial.controller)
            mine.start()
            former = mine
            return ChangeSender(as: .notes, through: mine) { (change: ChangeSenderContract.Change, list: String) in
                change.endpoint(of: list)
            }
        }
    }
}
