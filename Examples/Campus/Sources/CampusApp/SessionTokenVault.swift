import BackplaneNetworking
import BackplaneStorage
import Foundation

/// The tokens of one session among many, in a file.
///
/// The file is opened for each operation, of which there are few: one that stays open for every session would use up what a process
/// may have open.
struct SessionTokenVault: TokenVault {
    let file: URL
    let account: String

    func load() async throws -> NetworkTokens? { try await vault().load() }
    func save(_ tokens: NetworkTokens) async throws { try await vault().save(tokens) }
    func clear() async throws { try await vault().clear() }

    private func vault() throws -> SQLiteTokenVault { try SQLiteTokenVault(file: file, account: account) }
}
