import BackplaneConcurrency

/// The running tasks of one board.
final class TaskBag {
    private(set) var running: [Int: Task<Void, Never>] = [:]
    private var lastKey = 0

    func start(
        on owner: any Actor,
        _ operation: nonisolated(nonsending) @escaping () async -> Void
    ) -> Task<Void, Never> {
        lastKey += 1
        let key = lastKey
        // The task cannot end before it is in the bag: it needs the actor, which this call occupies.
        let task = BackplaneConcurrency.startTask(on: owner) {
            await operation()
            self.running[key] = nil
        }
        running[key] = task
        return task
    }

    func cancelAll() {
        for task in running.values { task.cancel() }
    }
}
