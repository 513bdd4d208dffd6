/// A piece of work for an actor that any thread can request.
///
/// The work runs at once if the request comes from that actor. Otherwise it runs after one hop.
///
/// A call does not keep the actor alive. If the actor no longer exists, the work is not done. A
/// call can be released on any thread, so `work` may only capture things that can be released on
/// any thread: weak references and values.
///
/// Before macOS 26 and its sibling releases, code cannot ask whether it runs on an actor without a
/// trap if it does not. There a call always hops.
// Unchecked because `work` is not `Sendable`: it is created on the actor and called only there. The
// weak reference is set once and then only read, which is safe from any thread.
package final class OwnerCall: @unchecked Sendable {
    /// Whether calls always hop, as they do before macOS 26 and its sibling releases; for tests.
    package static let alwaysHops = TaskLocal(wrappedValue: false)

    private weak var owner: (any Actor)?
    private let work: () -> Void

    /// Creates a call of `work` on `owner`; must be called on `owner`.
    package init(on owner: any Actor, _ work: @escaping () -> Void) {
        let message = { "An `OwnerCall` was created outside its actor. Create it in code that runs on the actor." }
        checkIsolation(to: owner, owner.unownedExecutor, message, file: #fileID, line: #line)
        self.owner = owner
        self.work = work
    }

    /// Creates a call of work that a `deinit` hands to `owner`, on whichever thread it runs.
    init(handedTo owner: any Actor, _ work: @escaping () -> Void) {
        self.owner = owner
        self.work = work
    }

    /// Does the work at once if the caller runs on the actor, or schedules it there.
    package func callAsFunction() {
        if let owner { Self.perform([self], on: owner) }
    }

    /// Does the work at once; must be called on the actor, and traps otherwise.
    package func now() {
        guard let owner else { return }
        let message = { "An `OwnerCall` was made at once outside its actor. Make it in code that runs on the actor." }
        checkIsolation(to: owner, owner.unownedExecutor, message, file: #fileID, line: #line)
        work()
    }

    /// Does the work on the actor, and returns when it is done.
    package func done() async {
        if let owner { await Self.work(of: [self], isolation: owner) }
    }

    /// Schedules the work on the actor, also if the caller runs there.
    package func later() {
        guard let owner else { return }
        Task { await Self.work(of: [self], isolation: owner) }
    }

    /// Does the work of several calls from code that runs on an actor.
    ///
    /// The work for that actor is done before this returns, on every system. Other actors are
    /// reached as by ``callAll(_:)``.
    package static func callAll(_ calls: [OwnerCall], isolation: isolated any Actor) {
        var others: [OwnerCall] = []
        for call in calls {
            if call.owner === isolation { call.work() } else { others.append(call) }
        }
        callAll(others)
    }

    /// Does the work of several calls, or schedules it: for each actor in order and in one job.
    package static func callAll(_ calls: [OwnerCall]) {
        if calls.count == 1 { return calls[0]() }
        var groups: [(owner: any Actor, calls: [OwnerCall])] = []
        var positions: [ObjectIdentifier: Int] = [:]
        for call in calls {
            guard let owner = call.owner else { continue }
            if let position = positions[ObjectIdentifier(owner)] {
                groups[position].calls.append(call)
            } else {
                positions[ObjectIdentifier(owner)] = groups.count
                groups.append((owner, [call]))
            }
        }
        for group in groups { perform(group.calls, on: group.owner) }
    }

    /// Does the work after a delay, unless the actor no longer exists by then.
    package func callAsFunction(after delay: Duration, clock: any Clock<Duration>) {
        Task.detached {
            try await clock.sleep(for: delay)
            if let owner = self.owner { await Self.work(of: [self], isolation: owner) }
        }
    }

    private static func perform(_ calls: [OwnerCall], on owner: any Actor) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), !alwaysHops.get() {
            // This code runs on no particular actor and only starts a task that is isolated to the
            // owner. `immediate` uses the isolation of the closure to decide whether to run it at
            // once. `assumeIsolated` casts in the same way.
            let start = { (owner: isolated any Actor) -> Void in
                Task.immediate {
                    _ = owner
                    for call in calls { call.work() }
                }
            }
            unsafeBitCast(start, to: ((any Actor) -> Void).self)(owner)
        } else {
            Task { await work(of: calls, isolation: owner) }
        }
    }

    private static func work(of calls: [OwnerCall], isolation: isolated any Actor) {
        for call in calls { call.work() }
    }
}
