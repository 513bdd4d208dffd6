/// Starts `operation` in a task that runs on `owner`; must be called on `owner`, and traps elsewhere rather than race.
///
/// This is how code that is synchronous and not isolated in the compiler's eyes (a board on *some* actor) starts
/// asynchronous work that stays on its actor. The task keeps `owner` alive until it ends.
package func startTask(
    on owner: any Actor,
    _ operation: nonisolated(nonsending) @escaping () async -> Void
) -> Task<Void, Never> {
    // Safe because the closure does not change hands: `assumeIsolated` has just checked that this is the owner, and
    // the task below runs on the owner too. The compiler cannot relate the two, so it has to be told.
    nonisolated(unsafe) let operation = operation
    return owner.startTask { await operation() }
}

extension Actor {
    fileprivate nonisolated func startTask(
        _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        assumeIsolated { isolated in
            Task {
                _ = isolated
                await operation()
            }
        }
    }
}
