import BackplaneFeatures
import CHeap

/// What the records here are of.
private struct Entry: Identifiable {
    let id: Int
    var count = 0
}

extension Operation {
    /// So many mutations are made of one record, and only then answered, one after the other in order.
    static func mutationLog(_ total: Int, on owner: any Actor) -> Operation {
        Operation(count: total) { count in
            do {
                try await fillLog(count, on: owner)
            } catch {
                preconditionFailure("A mutation failed: \(error)")
            }
        }
    }

    private static func fillLog(_ count: Int, on owner: isolated any Actor) async throws {
        let loader = Loader<Int, Entry> { Entry(id: $0) }
        loader.load(0)
        await loader.settled()
        let (allAreMade, gate) = AsyncStream<Void>.makeStream()
        var answered = 0
        let mutations = (1...count).map { number in
            Task {
                // Mentioned, so that the task inherits it.
                _ = owner
                // Tasks on one actor run in the order in which they were made.
                if number == count { gate.finish() }
                let mutation = Mutation<Entry> { entry in
                    entry.count += 1
                } send: { _ in
                    if answered == 0 { for await _ in allAreMade {} }
                    answered += 1
                    return Entry(id: 0, count: answered)
                } confirming: { entry in
                    entry
                }
                try await loader.mutate(mutation)
            }
        }
        for mutation in mutations { try await mutation.value }
        precondition(loader.value?.count == count, "Mutations were lost.")
    }

    /// One after the other of so many records, in random order, is loaded and its value read.
    static func loadRecord(among total: Int, on owner: any Actor) -> Operation {
        let store = RecordStore<Int, Entry>()
        let list = PagedLoader<Int, Entry>(store: store) { _ in Page((0..<total).map { Entry(id: $0) }) }
        let loader = Loader<Int, Entry>(store: store) { Entry(id: $0) }
        let order = (0..<total).shuffled()
        var next = 0
        // Kept, so that each record is on a list, as in an app.
        list.load(on: owner)
        return Operation(
            prepare: { withExtendedLifetime(list) {} },
            perform: { count in
                for _ in 0..<count {
                    loader.load(order[next], on: owner)
                    await loader.settled()
                    consume(loader.value?.count ?? 0)
                    next = (next + 1) % order.count
                }
            }
        )
    }
}

/// How often an intent is applied in excess of once for each pending mutation, when one of `count` has been answered and the
/// value is read twice.
@MainActor func excessFolds(among count: Int) async throws -> Int {
    let loader = Loader<Int, Entry> { Entry(id: $0) }
    loader.load(0)
    await loader.settled()
    var (folds, sends) = (0, 0)
    let (firstAnswer, gate) = AsyncStream<Void>.makeStream()
    let (laterAnswers, _) = AsyncStream<Void>.makeStream()
    let mutations = (1...count).map { _ in
        Task {
            let mutation = Mutation<Entry> { entry in
                folds += 1
                entry.count += 1
            } send: { _ in
                sends += 1
                for await _ in sends == 1 ? firstAnswer : laterAnswers {}
                return Entry(id: 0, count: 1)
            } confirming: { entry in
                entry
            }
            try await loader.mutate(mutation)
        }
    }
    while loader.pending.count < count { await Task.yield() }
    folds = 0
    gate.finish()
    try await mutations[0].value
    for _ in 1...2 { precondition(loader.value?.count == count, "Mutations were lost.") }
    for mutation in mutations { mutation.cancel() }
    return folds - count
}

/// What each of `total` records takes of the heap that a loader has shown, its value of two words included; nil where the system
/// does not say.
func heapBytesPerRecord(_ total: Int, on owner: isolated any Actor) async -> Double? {
    let store = RecordStore<Int, Entry>()
    let loader = Loader<Int, Entry>(store: store) { Entry(id: $0) }
    let before = heap_bytes_in_use()
    for id in 0..<total {
        loader.load(id)
        await loader.settled()
    }
    let after = heap_bytes_in_use()
    return withExtendedLifetime((store, loader)) { before < 0 ? nil : Double(after - before) / Double(total) }
}
