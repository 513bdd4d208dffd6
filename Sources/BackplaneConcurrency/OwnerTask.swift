/// Starts `operation` in a task that runs on `owner`; must be called on `owner`, and traps
/// otherwise.
///
/// Some synchronous code runs on an actor that the compiler does not know, such as a board on
/// *some* actor. That code starts asynchronous work on the same actor with this function. The task
/// keeps `owner` alive until it ends.
///
/// `operation` must be a function or a closure without a capture list. Swift 6.2 and 6.3 run a
/// closure with a capture list outside its actor (swiftlang/swift#87097).
///
/// - Parameters:
///   - owner: the actor that the task runs on.
///   - immediately: whether `operation` runs up to its first suspension before this function
///     returns, on systems that can do so: see ``canStartImmediately``.
///   - operation: the work.
/// - Returns: the task.
package func startTask(
    on owner: any Actor,
    immediately: Bool = false,
    _ operation: nonisolated(nonsending) @escaping () async -> Void
) -> Task<Void, Never> {
    let message = { "Asynchronous work on an actor was started off that actor; start it from the actor's own code." }
    checkIsolation(to: owner, owner.unownedExecutor, message, file: #fileID, line: #line)
    // Safe because the closure stays on one actor: the caller runs on the owner, as the check above
    // says, and so does the task below. The compiler cannot relate the two. `assumeIsolated` casts
    // in the same way, after its own check.
    nonisolated(unsafe) let operation = operation
    let start = { (owner: isolated any Actor) -> Task<Void, Never> in
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), immediately, canStartImmediately {
            return Task.immediate {
                owner.preconditionIsolated("A task of a board must start on the board's actor.")
                await operation()
            }
        }
        return Task {
            // More than a check: if no code runs on the actor before the call, the compiler omits
            // the hop to the actor (swiftlang/swift#86083).
            owner.preconditionIsolated("A task of a board must start on the board's actor.")
            await operation()
        }
    }
    return unsafeBitCast(start, to: ((any Actor) -> Task<Void, Never>).self)(owner)
}

/// Whether tasks can start without a hop: on macOS 26 and its sibling releases, unless a test
/// forbids it.
package var canStartImmediately: Bool {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { !OwnerCall.alwaysHops.get() } else { false }
}

/// Starts `operation` in a task on `owner` that inherits only the priority of the caller.
///
/// The task has no task-local values of the caller, and a cancellation of the caller does not
/// cancel it. Use it for work that other callers will wait for too. It must be called on `owner`,
/// and traps otherwise. The task keeps `owner` alive until it ends.
///
/// As for ``startTask(on:immediately:_:)``, `operation` must be a function or a closure without a
/// capture list. The task starts one hop later than a task of that function, so its order relative
/// to other tasks of `owner` is not defined.
package func startDetachedTask(
    on owner: any Actor,
    _ operation: nonisolated(nonsending) @escaping () async -> Void
) -> Task<Void, Never> {
    let message = { "Asynchronous work on an actor was started off that actor; start it from the actor's own code." }
    checkIsolation(to: owner, owner.unownedExecutor, message, file: #fileID, line: #line)
    // Safe for the same reason: the closure was formed on the owner, as the check says, and is
    // called only on the owner.
    nonisolated(unsafe) let operation = operation
    return Task.detached(priority: Task.currentPriority) { await run(operation, on: owner) }
}

private func run(_ operation: nonisolated(nonsending) () async -> Void, on owner: isolated any Actor) async {
    owner.preconditionIsolated("A detached task must run on the actor that it was started for.")
    await operation()
}
