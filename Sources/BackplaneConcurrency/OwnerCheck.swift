/// A cheap, repeatable check that code runs on a certain actor.
///
/// The check is an actor with the same executor as the other actor, so both are isolated at the
/// same time. It asks the other actor for its executor once. After that, a check neither uses the
/// other actor nor keeps it alive.
package actor OwnerCheck {
    package nonisolated let unownedExecutor: UnownedSerialExecutor

    /// Creates a check that code runs on `owner`.
    package init(_ owner: any Actor) {
        unownedExecutor = owner.unownedExecutor
    }

    /// Traps unless the caller runs on the actor.
    ///
    /// The trap prints `message` on Linux too, in debug and in release builds.
    package nonisolated func preconditionIsolated(
        _ message: @autoclosure () -> String = "Code ran outside the actor that it belongs to. Call it on that actor.",
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        checkIsolation(to: self, unownedExecutor, message, file: file, line: line)
    }
}
