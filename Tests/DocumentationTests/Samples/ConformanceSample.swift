// The sample of Sources/BackplaneConformance/BackplaneConformance.docc/BackplaneConformance.md.

import BackplaneConformance
import BackplaneFeatures
import BackplaneNetworking
import Testing

@MainActor
@Test(arguments: ChangeSenderContract.allClauses)
func `changes in memory keep the contract`(_ clause: ChangeSenderContract.Clause) async {
    await clause.check { trial in
        ChangeSender { (change: ChangeSenderContract.Change, list: String, key: IdempotencyKey) in
            try await trial.controller.request(change.endpoint(of: list), key: "\(key)")
        }
    }
}
