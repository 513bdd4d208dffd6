import BackplaneFeatures
import CHeap

/// The value of the records here.
private struct Entry: Identifiable {
    let id: Int
    var count = 0
}

extension Operation {
    /// Makes `total` mutations of one record, and only then confirms them, one after the other in
    /// order.
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
                // The task inherits an actor that its closure mentions.
                _ = owner
                // Tasks on one actor run in the order of their creation.
                if number == count { gate.finish() }
                let mutation = Mutation<Entry>(.edit { entry in entry.count += 1 }) { _ in
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

    /// Loads a record and reads its value, for each of `total` records in random order.
    static func loadRecord(among total: Int, on owner: any Actor) -> Operation {
        let store = RecordStore<Int, Entry>()
        let list = PagedLoader<Int, Entry>(store: store) { _ in Page((0..<total).map { Entry(id: $0) }) }
        let loader = Loader<Int, Entry>(store: store) { Entry(id: $0) }
        let order = (0..<total).shuffled()
        var next = 0
        // The list is kept, so that each record is on a list, as in an app.
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

/// Returns how often intents are applied, beyond once for each pending mutation.
///
/// One of `count` mutations is confirmed, and then the value is read twice.
@MainActor func excessFolds(among count: Int) async throws -> Int {
    let loader = Loader<Int, Entry> { Entry(id: $0) }
    loader.load(0)
    await loader.settled()
    var (folds, sends) = (0, 0)
    let (firstAnswer, gate) = AsyncStream<Void>.makeStream()
    let (laterAnswers, _) = AsyncStream<Void>.makeStream()
    let mutations = (1...count).map { _ in
        Task {
            let mutation = Mutation<Entry>(
                .edit { entry in
                    folds += 1
                    entry.count += 1
                }
            ) { _ in
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

/// Returns the heap bytes for each of `total` records that a loader has shown.
///
/// The bytes include the value of two words. It is `nil` if the system does not report them.
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
