import BackplaneNetworking
import BackplaneStorage
import Foundation

/// The tokens of all sessions, in one file.
///
/// There are few operations on it, and they run one after another. Each operation opens the file
/// for itself: an open file for each session would exhaust the process's file descriptors.
actor SessionTokens {
    private let file: URL
    private var last: Task<Void, Never>?

    init(file: URL) {
        self.file = file
    }

    /// Returns the vault of one session.
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

    /// Runs an operation, even if the calling task is cancelled.
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
