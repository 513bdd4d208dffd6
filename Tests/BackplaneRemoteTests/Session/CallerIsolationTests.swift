import BackplaneFeatures
import BackplaneNetworking
import BackplaneRemote
import BackplaneTesting
import HTTPTypes
import TestSupport
import Testing

/// After each call, also one that throws, its caller runs on the caller's actor again.
///
/// A precondition ends the run otherwise, because an actor cannot be asked. Each call is written
/// out, because a helper in between would itself go back to the actor.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct CallerIsolationTests {
    private let server = SessionServer()

    /// Leaves the actor for sure, so that the next call begins on it in any case.
    @concurrent private func leave() async {}

    @Test func `calls of a session return to the actor of the caller`() async throws {
        let session = try server.session()
        server.state.update { $0.failures = ["bea-1": .serviceUnavailable] }
        do {
            _ = try await session.signIn(with: .session("bea"))
            Issue.record("The user cannot be loaded.")
        } catch {
            MainActor.preconditionIsolated("signIn")
        }
        await leave()
        let account = try await session.signIn(with: .session("ada"))
        MainActor.preconditionIsolated("signIn")
        await leave()
        _ = try await account.sync()
        MainActor.preconditionIsolated("sync")
        await leave()
        server.state.update { $0.failures = ["ada-1": .serviceUnavailable] }
        do {
            _ = try await account.sync()
            Issue.record("The user cannot be loaded.")
        } catch {
            MainActor.preconditionIsolated("sync")
        }
        await leave()
        try await session.signOut()
        MainActor.preconditionIsolated("signOut")
        await leave()
        _ = try await session.resume()
        MainActor.preconditionIsolated("resume")
    }

    @Test func `if the vault fails, calls return to the actor of the caller`() async throws {
        let vault = SessionVault(fails: true)
        let session = try server.session(vault: vault)
        do {
            _ = try await session.resume()
            Issue.record("The vault fails.")
        } catch {
            MainActor.preconditionIsolated("resume")
        }
        await leave()
        do {
            try await session.signOut()
            Issue.record("The vault fails.")
        } catch {
            MainActor.preconditionIsolated("signOut")
        }
        await leave()
        vault.fails.update { $0 = false }
        let controller = try await session.signIn(with: .session("ada")).controller
        await leave()
        vault.fails.update { $0 = true }
        do {
            try await controller.replaceTokens(with: .session("ada", 2))
            Issue.record("The vault fails.")
        } catch {
            MainActor.preconditionIsolated("replaceTokens")
        }
        await leave()
        do {
            try await controller.signIn(with: .session("ada", 3))
            Issue.record("The vault fails.")
        } catch {
            MainActor.preconditionIsolated("signIn")
        }
        await leave()
        do {
            try await controller.signOut()
            Issue.record("The vault fails.")
        } catch {
            MainActor.preconditionIsolated("signOut")
        }
    }

    @Test func `calls of a loader return to the actor of the caller`() async throws {
        struct Refused: DefiniteRejection {}
        let loader = Loader<Int, String> { id in "\(id)" }
        loader.load(1)
        await loader.settled()
        MainActor.preconditionIsolated("settled")
        await leave()
        do {
            try await loader.mutate(
                Mutation(.edit { $0 += "!" }) { _ in
                    throw Refused()
                }
            )
            Issue.record("The change was refused.")
        } catch {
            MainActor.preconditionIsolated("mutate")
        }
        await leave()
        try await loader.mutate(
            Mutation(.edit { $0 += "!" }) { _ in
            }
        )
        MainActor.preconditionIsolated("mutate")
    }
}
