/// The mutations of a record that are not settled, in the order they were made.
///
/// Removing the first one takes amortized constant time, for any number of mutations.
package struct MutationLog<Value> {
    /// A mutation and whether it is sent.
    package struct Entry {
        package let mutation: Mutation<Value>
        /// The earlier mutations that this one replaced, and that share its outcome.
        package var superseded: [IdempotencyKey] = []
        /// Whether its turn has come; its outcome is unknown from then on.
        package var isSent = false

        /// All mutations that receive the outcome.
        package var ids: [IdempotencyKey] { superseded + [mutation.id] }
    }

    private var entries: [Entry?] = []
    private var start = 0

    package var isEmpty: Bool { start == entries.count }
    package var count: Int { entries.count - start }

    package var first: Entry? {
        start < entries.count ? entries[start] : nil
    }

    /// All mutations, oldest first.
    package var all: some Sequence<Entry> { entries[start...].lazy.compactMap { $0 } }

    /// Adds a mutation, or replaces the last one if that is queued and both set the same property
    /// (A3) and depend on the same mutations (A24).
    mutating func append(_ mutation: Mutation<Value>) {
        if let target = mutation.intent.target, count > 0, let last = entries[entries.count - 1], !last.isSent,
            last.mutation.intent.target == target, last.mutation.dependencies == mutation.dependencies
        {
            entries[entries.count - 1] = Entry(mutation: mutation, superseded: last.ids)
            return
        }
        entries.append(Entry(mutation: mutation))
    }

    /// Adds the queued mutations of another log.
    mutating func append(contentsOf other: some Sequence<Entry>) {
        entries += other.map { $0 }
    }

    mutating func sendFirst() {
        if !isEmpty { entries[start]?.isSent = true }
    }

    mutating func removeFirst() {
        entries[start] = nil
        start += 1
        if start * 2 > entries.count {
            entries.removeFirst(start)
            start = 0
        }
    }

    /// Removes and returns the mutation with this ID, wherever it is in the log.
    mutating func remove(_ id: IdempotencyKey) -> Entry? {
        guard let index = entries[start...].firstIndex(where: { $0?.mutation.id == id }) else { return nil }
        return entries.remove(at: index)
    }

    /// Removes the mutations that depend on a failed one, directly or indirectly, and returns each
    /// with the reason why it fails.
    ///
    /// If an outbox has some of them, it does not send them until the user has decided about the
    /// failed one.
    ///
    /// - Parameters:
    ///   - failed: the failed mutation, which has left the log.
    ///   - isOrphaning: whether the record does not exist here without it, so that edits do not
    ///     apply.
    ///   - isInsertion: whether the server does not have the record without it, either, so that a
    ///     deletion has nothing to do.
    /// - Returns: the removed mutations.
    mutating func removeDependents(
        of failed: Entry,
        isOrphaning: Bool,
        isInsertion: Bool
    ) -> [(entry: Entry, outcome: MutationOutcome)] {
        var isOrphaning = isOrphaning
        var names: [IdempotencyKey: String] = [:]
        for id in failed.ids { names[id] = failed.mutation.name }
        var removed: [(Entry, MutationOutcome)] = []
        entries = entries[start...].filter { entry in
            guard let entry else { return true }
            // Only the server refuses a mutation that it may have, or that an outbox has.
            if entry.isSent || entry.mutation.delivery != nil { isOrphaning = false }
            var outcome = entry.mutation.outcome(afterFailuresOf: names)
            switch entry.mutation.intent.effect {
            case .replace: isOrphaning = false
            case .edit where isOrphaning: outcome = outcome ?? .targetMissing(MissingTarget())
            // The record does not exist, as the user wants.
            case .delete where isOrphaning && isInsertion: outcome = outcome ?? .acknowledged
            case .delete: isOrphaning = false
            case .edit: break
            }
            guard let outcome else { return true }
            if case .acknowledged = outcome {} else { for id in entry.ids { names[id] = entry.mutation.name } }
            removed.append((entry, outcome))
            return false
        }
        start = 0
        return removed
    }
}
