import BackplaneNetworking
import BackplaneStorage
import Foundation

/// The tokens of all sessions, in one file.
///
/// Operations on it are few, and done one after another. Each opens the file for itself: a file that stays open for every session
/// would use up what a process may have open.
actor SessionTokens {
    private let file: URL
    private var last: Task<Void, Never>?

    init(file: URL) {
        self.file = file
    }

    /// The vault of one session.
    nonisolated func vault(of session: String) -> some TokenVault { Vault(tokens: self, session: session) }

    private struct Vault: TokenVault {
        let tokens: SessionTokens
        let session: String

        func load() async throws -> NetworkTokens? { try await tokens.perform(on: session) { try await $0.load() } }
        func save(_ new: NetworkTokens) async throws {
            try await tokens.perform(on: session) { try await $0.save(new) }
        }
        func clear() async throws { try await tokens.perform(on: session) { try await $0.clear() } }
    }

    /// Carried out whatever becomes of the task that asked.
    private func perform<Value: Sendable>(
        on session: String,
        _ operation: @escaping @Sendable (SQLiteTokenVault) async throws -> Value
    ) async throws -> Value {
        let task = Task { [last, file] in
            await last?.value
            return try await operation(SQLiteTokenVault(file: file, account: session))
        }
        last = Task { _ = await task.result }
        return try await task.value
    }
}
