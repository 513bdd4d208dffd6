/// Work to be done on an actor, ordered from anywhere: at once if that is on the actor, otherwise after one hop.
///
/// The actor is not kept alive; when it is gone the work is not done. Whoever lets go of a call may be anywhere, too, so what
/// `work` captures must bear being released anywhere: weak references and values.
///
/// Before macOS 26 and its siblings nothing can tell whether code runs on an actor without trapping if it does not; there it
/// always takes the hop.
// Unchecked because `work` is not `Sendable`: it is made on the actor, and called nowhere else. The weak reference is set
// once and then only read, which is safe from any thread.
package final class OwnerCall: @unchecked Sendable {
    /// Whether calls always take the hop, as before macOS 26 and its siblings: for tests.
    package static let alwaysHops = TaskLocal(wrappedValue: false)

    private weak var owner: (any Actor)?
    private let work: () -> Void

    /// Work to be done on `owner`; to be made on it.
    package init(on owner: any Actor, _ work: @escaping () -> Void) {
        let message = { "What is to be called on an actor must be made on it." }
        checkIsolation(to: owner, owner.unownedExecutor, message, file: #fileID, line: #line)
        self.owner = owner
        self.work = work
    }

    /// Does the work, or has it done.
    package func callAsFunction() {
        if let owner { Self.perform([self], on: owner) }
    }

    /// Does the work of several calls, or has it done: for each actor in order and in one job.
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

    /// Does the work after a while, unless the actor has gone by then.
    package func callAsFunction(after delay: Duration, clock: any Clock<Duration>) {
        Task.detached {
            try await clock.sleep(for: delay)
            if let owner = self.owner { await Self.work(of: [self], isolation: owner) }
        }
    }

    private static func perform(_ calls: [OwnerCall], on owner: any Actor) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), !alwaysHops.get() {
            // All that is done here, on no particular actor, is to start a task that is isolated to the owner; and it is the
            // closure's isolation by which `immediate` decides whether to run it at once. `assumeIsolated` casts likewise.
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
