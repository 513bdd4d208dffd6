import BackplaneFeatures
import Testing

private struct Line: Identifiable, Sendable {
    let id: String
    var text: String
    var rev = 0
}

private struct Taken: DefiniteRejection {}

/// Calls of the API for optimistic mutations.
@MainActor
struct MutationCallers {
    private let store = RecordStore<String, Line>(
        revision: \.rev,
        identity: \.id,
        isRejection: { $0 is Taken },
        loadRetries: .never,
        staleAfter: .seconds(60),
        clock: ContinuousClock()
    )

    private func shown() async -> Loader<String, Line> {
        let line = Loader(store: store) { id in Line(id: id, text: "read") }
        line.load("1")
        await line.settled()
        return line
    }

    @Test func `a mutation changes the value and is sent to the server`() async throws {
        let line = await shown()
        var keys: Set<IdempotencyKey> = []
        let write = Mutation<Line>(.edit { line in line.text = "write" }, label: "write") { key in
            keys.insert(key)
        }
        try await line.mutate(write)
        try await line.mutate(Mutation(.set(\.text, to: "wrote"), after: [write.id]) { _ in })
        let append = Mutation<Line>(.edit { $0.text += "!" }) { _ in
            "wrote?"
        } merging: { text, line in
            line.text = text
        }
        try line.enqueue(append)
        #expect(line.value?.text == "wrote!")
        let replace = Mutation<Line>(.replace(Line(id: "1", text: "new"))) { _ in
            Line(id: "1", text: "new", rev: 7)
        } confirming: {
            $0
        }
        try await line.mutate(replace)
        #expect(line.value?.text == "new")
        try await line.mutate(Mutation(.delete) { _ in })
        #expect(line.value == nil)
        #expect(keys == [write.id])
        line.retryPending()
        store.refresh()
        store.reset()
    }

    @Test func `a rejected mutation throws, is undone, and stays pending until it is dismissed`() async {
        let line = await shown()
        let write = Mutation<Line>(.edit { line in line.text = "write" }, label: "write") { _ in
            throw Taken()
        }
        do {
            try await line.mutate(write)
            Issue.record("The rejected mutation did not throw.")
        } catch let error as FeatureError {
            #expect(error.code == .rejected)
            #expect(error.mutation == write.id)
            #expect(error.label == "write")
            #expect(error.cause is Taken)
        } catch {
            Issue.record(error)
        }
        #expect(line.value?.text == "read")
        for mutation in line.pending where mutation.status == .failed {
            #expect(mutation.error != nil)
            line.dismiss(mutation.id)
        }
        #expect(line.pending.isEmpty)
    }

    @Test func `a list loads page by page and accepts mutations`() async throws {
        let list = PagedLoader<Int, Line>(store: store) { cursor in
            Page([Line(id: "\(cursor ?? 0)", text: "")], next: cursor == nil ? 1 : nil)
        }
        list.load()
        await list.settled()
        if list.hasMore { list.loadMore() }
        await list.settled()
        try await list.insert(Line(id: "new", text: "mine"), label: "insert") { _ in
            Line(id: "2", text: "mine")
        } confirming: {
            $0
        }
        #expect(list.ids == ["2", "0", "1"])
        #expect(list.currentID(of: "new") == store.currentID(of: "new"))
        try await list.mutate(Mutation(.set(\.text, to: "changed")) { _ in }, of: "1")
        try list.enqueue(Mutation(.delete) { _ in }, of: "0")
        #expect(list.items.map(\.text) == ["mine", "changed"])
        #expect(list.pending(of: "1").isEmpty)
        list.reload()
        list.retry()
        list.cancel()
        list.retryPending()
    }

    @Test func `a loader group combines the states of its loaders`() async {
        let (line, other) = (await shown(), Loader<Int, Int> { $0 })
        other.load(1)
        let sections = LoaderGroup(line, other)
        #expect(sections.anyLoading)
        await sections.settled()
        #expect(sections.allLoaded && !sections.anyFailed)
        sections.retry()
    }
}

/// Calls of the API for shared loads and actions.
struct SharingCallers {
    private let lines = SharedLoads<String, Line>(
        retries: .never,
        isRejection: { $0 is Taken },
        linger: .seconds(1),
        clock: ContinuousClock(),
        { id in Line(id: id, text: "read") }
    )

    @Test func `shared loads return a value on any actor`() async throws {
        async let here = lines.value(for: "1")
        let there = try await lines.value(for: "1", within: .seconds(60))
        #expect(try await [here.text, there.text] == ["read", "read"])
        lines.invalidate("1")
        lines.invalidateAll()
    }

    @MainActor @Test func `a loader uses shared loads`() async {
        let line = Loader(sharing: lines)
        line.load("1")
        await line.settled()
        #expect(line.value?.text == "read")
    }

    @Test func `an action is a function and can be observed`() async throws {
        typealias Actions = (
            finish: Action<String, Int, String>.Async,
            count: Action<String, String, Int>.Sync
        )
        let actions: Actions = (
            finish: { place, number in "\(place) \(number)" },
            count: { _, text in text.count }
        )
        let finish = Action.observed(actions.finish) { number, end in
            #expect(number == 1)
            if let end { #expect((try? end.get()) == "here 1") }
        }
        #expect(try await finish("here", 1) == "here 1")
        #expect(actions.count("here", "abc") == 3)
    }
}
