/// Checks cheaply, again and again, that code runs on a certain actor: with `preconditionIsolated`, called on this.
///
/// An actor itself that shares the other's executor, and so is isolated exactly when the other is. The other is asked for its
/// executor once, and is neither kept alive nor touched by a check.
package actor OwnerCheck {
    package nonisolated let unownedExecutor: UnownedSerialExecutor

    /// A check for running on `owner`.
    package init(_ owner: any Actor) {
        unownedExecutor = owner.unownedExecutor
    }
}
