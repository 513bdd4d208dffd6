import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import BackplaneTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// After each call, also one that throws, its caller runs on the caller's actor again.
///
/// Optimized code of some compilers does not go back: see `OutboxFile`. A precondition ends the run
/// then, because an actor cannot be asked otherwise. Each call is written out, because a helper in
/// between would itself go back to the actor.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct CallerIsolationTests {
    private let bench = OutboxBench()

    /// Leaves the actor for sure, so that the next call begins on it in any case.
    @concurrent
    private func leave() async {}

    @Test
    func `calls of an outbox return to the actor of the caller`() async throws {
        let outbox = try bench.open()
        let ada = try bench.account(of: outbox)
        let saved = try await ada.write("hi", to: "a")
        MainActor.preconditionIsolated("enqueue")
        await leave()
        _ = try await ada.operations(limit: 1)
        MainActor.preconditionIsolated("operations")
        await leave()
        _ = try await ada.readStatus()
        MainActor.preconditionIsolated("readStatus")
        await leave()
        _ = try await outbox.export()
        MainActor.preconditionIsolated("export")
        await leave()
        ada.start()
        try await saved.response()
        MainActor.preconditionIsolated("response")
        await leave()
        try await ada.waitUntilDrained()
        MainActor.preconditionIsolated("waitUntilDrained")
        await leave()
        await ada.stop()
        MainActor.preconditionIsolated("stop")
    }

    @Test
    func `calls of an outbox that throw return to the actor of the caller`() async throws {
        bench.answer(.status(.badRequest))
        let ada = try bench.account(of: bench.open(limits: Outbox.Limits(operations: 1)))
        let refused = try await ada.write("hi", to: "a")
        do {
            try await ada.write("hi", to: "a")
            Issue.record("The outbox is full.")
        } catch {
            MainActor.preconditionIsolated("enqueue")
        }
        await leave()
        do {
            try await ada.retry(IdempotencyKey())
            Issue.record("No operation has this key.")
        } catch {
            MainActor.preconditionIsolated("retry")
        }
        await leave()
        ada.start()
        do {
            try await refused.response()
            Issue.record("The server has refused the operation.")
        } catch {
            MainActor.preconditionIsolated("response")
        }
    }

    @Test
    func `calls of a controller and a vault return to the actor of the caller`() async throws {
        let controller = try bench.controller()
        _ = try await controller.request(.write("hi", to: "a"), key: "1")
        MainActor.preconditionIsolated("request")
        await leave()
        bench.answer(.failure(Offline()))
        do {
            _ = try await controller.request(.write("hi", to: "a"), key: "2")
            Issue.record("There is no network.")
        } catch {
            MainActor.preconditionIsolated("request")
        }
        await leave()
        try await controller.signOut()
        MainActor.preconditionIsolated("signOut")
        await leave()
        let vault = try SQLiteTokenVault(file: bench.directory.file("vault.sqlite"), account: "ada")
        try await vault.save(bench.tokens(of: "ada"))
        MainActor.preconditionIsolated("save")
        await leave()
        _ = try await vault.load()
        MainActor.preconditionIsolated("load")
    }
}
