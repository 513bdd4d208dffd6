/// The mutations of a record that are not settled, in the order they were made.
///
/// Dropping the first takes constant time, amortised, however many there are.
package struct MutationLog<Value> {
    /// A mutation, and how far it has got.
    package struct Entry {
        package let mutation: Mutation<Value>
        /// Earlier mutations that this one took the place of, and whose outcome is this one's.
        package let superseded: [IdempotencyKey]
        package var phase = Phase.queued

        /// Everyone who is to be told of the outcome.
        package var ids: [IdempotencyKey] { superseded + [mutation.id] }
    }

    /// How far a mutation has got.
    package enum Phase: Equatable {
        case queued
        /// On its way for the time that `attempt` says, counted from 1.
        case sending(attempt: Int)
        /// Sent that many times, and nobody knows what became of it.
        case unconfirmed(attempts: Int)
    }

    private var entries: [Entry?] = []
    private var start = 0

    package var isEmpty: Bool { start == entries.count }
    package var count: Int { entries.count - start }

    package var first: Entry? {
        start < entries.count ? entries[start] : nil
    }

    /// All of them, the first made first.
    package var all: some Sequence<Entry> { entries[start...].lazy.compactMap { $0 } }

    /// Adds a mutation, in the place of the last one if that is queued and both set the same thing (A3).
    mutating func append(_ mutation: Mutation<Value>) {
        if let target = mutation.target, count > 0, let last = entries[entries.count - 1], last.phase == .queued,
            last.mutation.target == target
        {
            entries[entries.count - 1] = Entry(mutation: mutation, superseded: last.ids)
            return
        }
        entries.append(Entry(mutation: mutation, superseded: []))
    }

    /// Adds what is queued in another log.
    mutating func append(contentsOf other: some Sequence<Entry>) {
        entries += other.map { $0 }
    }

    mutating func setFirstPhase(_ phase: Phase) {
        if !isEmpty { entries[start]?.phase = phase }
    }

    mutating func removeFirst() {
        entries[start] = nil
        start += 1
        if start * 2 > entries.count {
            entries.removeFirst(start)
            start = 0
        }
    }

    /// Removes, and returns, what depends on one of `ids`, and what depends on that in turn.
    mutating func removeDependents(of ids: [IdempotencyKey]) -> [Entry] {
        var failed = Set(ids)
        var removed: [Entry] = []
        entries = entries[start...].filter { entry in
            guard let entry, !entry.mutation.dependencies.isDisjoint(with: failed) else { return true }
            failed.formUnion(entry.ids)
            removed.append(entry)
            return false
        }
        start = 0
        return removed
    }
}
