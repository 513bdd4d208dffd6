internal import BackplaneConcurrency

/// Carries out the operations on a vault one after another, in the order in which they were asked for.
///
/// The order is the point: signing out while a refresh is being saved must leave the vault empty. An operation, once
/// asked for, is carried out whatever becomes of the task that asked.
final class TokenVaultQueue: Sendable {
    private let vault: any TokenVault
    private let last = Locked<Task<Void, any Error>?>(nil)

    init(_ vault: any TokenVault) {
        self.vault = vault
    }

    func save(_ tokens: NetworkTokens) -> Task<Void, any Error> {
        enqueue { try await $0.save(tokens) }
    }

    func clear() -> Task<Void, any Error> {
        enqueue { try await $0.clear() }
    }

    private func enqueue(
        _ operation: @escaping @Sendable (any TokenVault) async throws -> Void
    ) -> Task<Void, any Error> {
        last.withLock { last in
            let task = Task.detached { [vault, last] in
                _ = await last?.result
                try await operation(vault)
            }
            last = task
            return task
        }
    }
}
