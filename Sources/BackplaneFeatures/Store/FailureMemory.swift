/// A23: The failed mutations of a record: those that the user has not dismissed, and the names of
/// the others, on which later mutations may depend.
struct FailureMemory {
    private(set) var undismissed: [MutationFailure] = []
    private var dismissed: [IdempotencyKey: String] = [:]

    /// Returns the names of all failed mutations but one, which is made again.
    func names(besides id: IdempotencyKey) -> [IdempotencyKey: String] {
        var names = dismissed
        for failure in undismissed where failure.id != id {
            for id in failure.ids { names[id] = failure.name }
        }
        return names
    }

    mutating func add(_ failure: MutationFailure) {
        undismissed.append(failure)
    }

    mutating func add(contentsOf other: FailureMemory) {
        undismissed += other.undismissed
        dismissed.merge(other.dismissed) { own, _ in own }
    }

    /// Removes a failure that the user has seen; mutations that depend on it still fail.
    mutating func dismiss(_ id: IdempotencyKey) {
        guard let index = undismissed.firstIndex(where: { $0.id == id }) else { return }
        let failure = undismissed.remove(at: index)
        for id in failure.ids { dismissed[id] = failure.name }
    }

    /// Forgets a failure that is no longer true.
    mutating func end(_ id: IdempotencyKey) {
        undismissed.removeAll { $0.id == id }
        dismissed[id] = nil
    }
}
