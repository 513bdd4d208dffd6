#if canImport(Darwin)
    private import Darwin
#endif

/// The way back to an actor for the state that an object of the actor leaves behind.
///
/// Any thread can release the last reference to an object, so its `deinit` may run while code on
/// the actor uses the same state. The object then hands the state over, and the actor takes it
/// apart.
///
/// A handover does not keep the actor alive.
// Unchecked because of the weak reference, which is set once and then only read. That is safe from
// any thread.
package final class OwnerHandover: @unchecked Sendable {
    private weak var owner: (any Actor)?

    /// Creates the way back to `owner`; may be called on any thread.
    package init(to owner: any Actor) {
        self.owner = owner
    }

    /// Does the work on the actor: at once if the caller runs there, or after one hop.
    ///
    /// Before macOS 26 and its sibling releases, only the main thread can be recognized, so work
    /// for another actor always hops there. The hop keeps the actor alive.
    ///
    /// If the actor no longer exists, the work is done at once. No code can run on the actor then:
    /// each job and each call on an actor keeps it alive.
    ///
    /// - Parameter work: the work. The last reference to it may be released on any thread, also
    ///   after the work is done. So the work must empty what it captures.
    package func perform(_ work: @escaping () -> Void) {
        guard let owner else { return work() }
        if Self.isOnMainThread(of: owner) { return work() }
        // Safe although `work` is not `Sendable`: the object that creates it is being released, so
        // no other code can reach the captured state except on the actor, where the work is done.
        OwnerCall(handedTo: owner, work)()
    }

    private static func isOnMainThread(of owner: any Actor) -> Bool {
        #if canImport(Darwin)
            // The main actor runs on the main thread only.
            owner === MainActor.shared && pthread_main_np() != 0 && !OwnerCall.alwaysHops.get()
        #else
            false
        #endif
    }
}
