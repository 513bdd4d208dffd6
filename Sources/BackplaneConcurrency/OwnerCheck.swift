/// Checks cheaply, again and again, that code runs on a certain actor.
///
/// An actor itself that shares the other's executor, and so is isolated exactly when the other is. The other is asked for its
/// executor once, and is neither kept alive nor touched by a check.
package actor OwnerCheck {
    package nonisolated let unownedExecutor: UnownedSerialExecutor

    /// A check for running on `owner`.
    package init(_ owner: any Actor) {
        unownedExecutor = owner.unownedExecutor
    }

    /// Traps unless the caller runs on the actor.
    ///
    /// The trap prints `message` on Linux too, in debug and in release builds.
    package nonisolated func preconditionIsolated(
        _ message: @autoclosure () -> String = "Code ran off the actor it belongs to.",
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        checkIsolation(to: self, unownedExecutor, message, file: file, line: line)
    }
}
