import ServerLimits

/// A set of deadlines with at most one sleeping task, whatever the number of deadlines.
///
/// A later deadline for an ID only changes the set, so a deadline that moves with every request
/// costs no task and no timer of its own. The task may wake too early then, and sleeps again.
///
/// **Isolation.** It belongs to the actor that calls it, and is not `Sendable`.
final class Alarm<ID: Hashable & Sendable> {
    private let stopwatch: Stopwatch
    private let onDue: @Sendable (ID) async -> Void
    private var deadlines = Deadlines<ID>()
    private var sleeper: (end: Duration, task: Task<Void, Never>)?
    private var isStopped = false

    /// Creates an alarm without deadlines.
    ///
    /// - Parameters:
    ///   - stopwatch: measures the time.
    ///   - onDue: called once for each ID that is due, in a task of its own.
    init(_ stopwatch: Stopwatch, onDue: @escaping @Sendable (ID) async -> Void) {
        self.stopwatch = stopwatch
        self.onDue = onDue
    }

    /// Sets or moves the deadline of an ID to a time of the stopwatch.
    func set(_ id: ID, at time: Duration, isolation: isolated any Actor = #isolation) {
        guard !isStopped else { return }
        deadlines.set(id, at: time)
        sleep(isolation: isolation)
    }

    /// Removes the deadline of an ID, if it has one.
    func remove(_ id: ID) {
        deadlines.remove(id)
        if deadlines.earliest == nil { wake() }
    }

    /// Removes all deadlines, and ignores later ones.
    func stop() {
        isStopped = true
        deadlines = Deadlines()
        wake()
    }

    private func wake() {
        sleeper?.task.cancel()
        sleeper = nil
    }

    /// Sleeps until the earliest deadline, unless the task already wakes before.
    private func sleep(isolation: isolated any Actor) {
        guard let earliest = deadlines.earliest else { return }
        if let sleeper, sleeper.end <= earliest { return }
        wake()
        // Not a capture list: a closure with one may run off the actor.
        let stopwatch = stopwatch
        let task = Task {
            do { try await stopwatch.sleep(earliest) } catch { return }
            await self.ring(isolation: isolation)
        }
        sleeper = (earliest, task)
    }

    private func ring(isolation: isolated any Actor) async {
        // The task may have been cancelled after it woke and before it came to the actor.
        guard !Task.isCancelled else { return }
        sleeper = nil
        for id in deadlines.removeDue(at: stopwatch.elapsed()) {
            Task { [onDue] in await onDue(id) }
        }
        sleep(isolation: isolation)
    }
}
