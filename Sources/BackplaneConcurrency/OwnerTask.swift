/// Starts `operation` in a task that runs on `owner`; must be called on `owner`, and traps elsewhere rather than race.
///
/// This is how code that is synchronous and not isolated in the compiler's eyes (a board on *some* actor) starts
/// asynchronous work that stays on its actor. The task keeps `owner` alive until it ends.
///
/// `operation` must be a function or a closure without a capture list: Swift 6.2 and 6.3 run a closure that has one off the
/// actor (swiftlang/swift#87097).
///
/// - Parameters:
///   - owner: the actor.
///   - immediately: whether what `operation` does before it first suspends is done before this
///     returns, where the system can: see ``canStartImmediately``.
///   - operation: the work.
/// - Returns: the task.
package func startTask(
    on owner: any Actor,
    immediately: Bool = false,
    _ operation: nonisolated(nonsending) @escaping () async -> Void
) -> Task<Void, Never> {
    let message = { "Asynchronous work on an actor was started off that actor; start it from the actor's own code." }
    checkIsolation(to: owner, owner.unownedExecutor, message, file: #fileID, line: #line)
    // Safe because the closure does not change hands: this is the owner, as was checked, and the
    // task below runs on the owner too. The compiler cannot relate the two, so it has to be told.
    // `assumeIsolated` casts likewise, after a check of its own.
    nonisolated(unsafe) let operation = operation
    let start = { (owner: isolated any Actor) -> Task<Void, Never> in
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), immediately, canStartImmediately {
            return Task.immediate {
                owner.preconditionIsolated("A task of a board must start on the board's actor.")
                await operation()
            }
        }
        return Task {
            // Not only a check: with nothing to do on the actor before the call, the compiler leaves out the hop to it
            // (swiftlang/swift#86083).
            owner.preconditionIsolated("A task of a board must start on the board's actor.")
            await operation()
        }
    }
    return unsafeBitCast(start, to: ((any Actor) -> Task<Void, Never>).self)(owner)
}

/// Whether tasks can start without a hop: on macOS 26 and its siblings, unless a test forbids it.
package var canStartImmediately: Bool {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { !OwnerCall.alwaysHops.get() } else { false }
}

/// Starts `operation` in a task that runs on `owner` and has nothing of the caller's but its priority: neither its task-local
/// values nor, if it is cancelled one day, that.
///
/// For work that others than the caller will wait for too. Must be called on `owner`, and traps elsewhere rather than race;
/// keeps `owner` alive until it ends. As for ``startTask(on:_:)``, `operation` must be a function or a closure without a capture
/// list. It starts one hop later than that would, and so in no certain order with other tasks of `owner`.
package func startDetachedTask(
    on owner: any Actor,
    _ operation: nonisolated(nonsending) @escaping () async -> Void
) -> Task<Void, Never> {
    let message = { "Asynchronous work on an actor was started off that actor; start it from the actor's own code." }
    checkIsolation(to: owner, owner.unownedExecutor, message, file: #fileID, line: #line)
    // Safe for the same reason: the closure was formed on the owner, which was checked, and is called on the owner only.
    nonisolated(unsafe) let operation = operation
    return Task.detached(priority: Task.currentPriority) { await run(operation, on: owner) }
}

private func run(_ operation: nonisolated(nonsending) () async -> Void, on owner: isolated any Actor) async {
    owner.preconditionIsolated("A detached task on an actor must have come to that actor.")
    await operation()
}
