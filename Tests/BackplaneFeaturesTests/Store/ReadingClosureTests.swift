import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// User closures that read the loader they belong to.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ReadingClosureTests {
    /// Reads all properties of two loaders and a list.
    @MainActor private final class Reader {
        var loader: Loader<String, Memo>?
        var other: Loader<String, Memo>?
        var list: PagedLoader<Int, Memo>?
        var reads = 0

        func read() {
            reads += 1
            _ = (loader?.value, loader?.state, loader?.pending, loader?.id)
            _ = (other?.value, list?.items, list?.ids, list?.state, list?.pending(of: "a"))
        }

        func forget() {
            (loader, other, list) = (nil, nil, nil)
        }
    }

    private let reader = Reader()

    private func show(_ store: RecordStore<String, Memo>) async -> (Loader<String, Memo>, PagedLoader<Int, Memo>) {
        let list = PagedLoader<Int, Memo>(store: store) { _ in Page([Memo("a", "page")]) }
        let loader = Loader(store: store) { id in Memo(id, "loaded") }
        let other = Loader(store: store) { id in Memo(id, "loaded") }
        (reader.loader, reader.other, reader.list) = (loader, other, list)
        loader.load("a")
        other.load("a")
        list.load()
        await loader.settled()
        await list.settled()
        return (loader, list)
    }

    @Test(.rule("A16")) func `a change closure can read its loader in every place that applies the change`()
        async throws
    {
        let store = RecordStore<String, Memo>()
        let (loader, list) = await show(store)
        defer { reader.forget() }
        let latch = AsyncLatch()
        let change = { [reader] (memo: inout Memo) in
            reader.read()
            memo.text += "!"
        }
        let changes = (1...3).map { _ in Mutation<Memo>(.edit(change), send: { _ in await latch.wait() }) }
        for change in changes { try loader.enqueue(change) }
        let text = try #require(loader.value?.text)
        #expect(text.hasSuffix("!!!"))
        await latch.arrivals(atLeast: 1)
        loader.reload()
        await loader.settled()
        list.reload()
        await list.settled()
        #expect(loader.value?.text.hasSuffix("!!!") == true)
        #expect(reader.other?.value == loader.value)
        #expect(list.items.first == loader.value)
        latch.open()
        for change in changes { try await loader.mutate(change) }
        #expect(reader.reads > 3)
    }

    @Test(.rule("A16")) func `a merging closure can read its loader`() async throws {
        let (loader, _) = await show(RecordStore())
        defer { reader.forget() }
        let rename = Mutation<Memo>(
            .edit { [reader] memo in
                reader.read()
                memo.text = "renamed"
            }
        ) { _ in
            "RENAMED"
        } merging: { [reader] response, memo in
            reader.read()
            memo.text = response
        }
        try await loader.mutate(rename)
        #expect(loader.value?.text == "RENAMED")
        #expect(reader.other?.value?.text == "RENAMED")
    }

    @Test(.rule("A16")) func `a revision closure can read its loader`() async throws {
        let (loader, list) = await show(
            RecordStore(revision: { [reader] _ in
                reader.read()
                return nil
            })
        )
        defer { reader.forget() }
        let rename = Mutation<Memo>(.replace(Memo("a", "renamed"))) { _ in
        } confirming: {
            Memo("a", "RENAMED")
        }
        try await loader.mutate(rename)
        list.reload()
        await list.settled()
        #expect(reader.reads > 1)
        #expect(loader.value?.text == "page")
    }

    @Test(.rule("A16")) func `an identity closure can read its loader`() async throws {
        let (loader, list) = await show(
            RecordStore(identity: { [reader] memo in
                reader.read()
                return memo.id
            })
        )
        defer { reader.forget() }
        try await list.insert(Memo("new")) { _ in
        } confirming: {
            Memo("7", "made")
        }
        #expect(list.items.first == Memo("7", "made"))
        #expect(loader.id == "a")
    }
}
