import BackplaneFeatures
import BackplaneTesting
import TestSupport
import Testing

/// Changes as values, with a sender in memory.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct RecordChangeTests {
    /// A change of a list of texts.
    private enum TextChange: RecordChange {
        case append(String)
        case replace([String])
        case remove(String)

        struct NoSuchText: Error {}

        var intent: Intent<[String]> {
            switch self {
            case .append(let text): .edit { $0.append(text) }
            case .replace(let texts): .replace(texts)
            case .remove(let text):
                .edit { texts in
                    guard let index = texts.firstIndex(of: text) else { throw NoSuchText() }
                    texts.remove(at: index)
                }
            }
        }

        var text: String {
            switch self {
            case .append(let text), .remove(let text): text
            case .replace: "all"
            }
        }
    }

    /// A change that the store cannot send.
    private struct OtherChange: RecordChange {
        var intent: Intent<[String]> { .delete }
    }

    private struct Item: Identifiable, Codable, Equatable {
        let id: String
        var text: String
    }

    private struct ItemChange: RecordChange {
        let item: Item

        var intent: Intent<Item> { .replace(item) }
    }

    private struct ItemEdit: RecordChange {
        let item: String

        var intent: Intent<[Item]> {
            .update(item) { $0.text = "edited" }
        }
    }

    private let sends = LoadStub<String, [String]?>()
    private let loads = LoadStub<Int, [String]>()
    private let keys = Watched<[IdempotencyKey]>([])

    private func sender() -> ChangeSender<Int, [String]> {
        let (sends, keys) = (sends, keys)
        return ChangeSender { (change: TextChange, id: Int, key: IdempotencyKey) in
            MainActor.assertIsolated("A sender runs on the store's actor.")
            keys.update { $0.append(key) }
            return try await sends.load("\(id) \(change.text)")
        } confirming: { (texts: [String]?) in
            texts
        }
    }

    private func loader(showing texts: [String]) async -> Loader<Int, [String]> {
        let loads = loads
        let loader = Loader(store: RecordStore(sending: sender())) { (id: Int) in try await loads.load(id) }
        loader.load(1)
        await loads.succeed(request: 1, with: texts)
        await loader.settled()
        return loader
    }

    @Test(.rule("R6", "A2"))
    func `a change is visible at once, and sent by the sender of the store`() async throws {
        let texts = await loader(showing: ["a"])
        try texts.enqueue(TextChange.append("b"), label: "add b")
        #expect(texts.value == ["a", "b"])
        #expect(texts.pending.map(\.label) == ["add b"])
        #expect(texts.pending.map(\.isSaved) == [false])
        await sends.requests(atLeast: 1)
        #expect(sends.ids == ["1 b"])
        #expect(keys.value == texts.pending.map(\.id))
        sends.succeed(with: ["a", "B"])
        await waitUntil { texts.pending.isEmpty }
        #expect(texts.value == ["a", "B"])
        #expect(loads.ids == [1])
    }

    @Test(.rule("R6"))
    func `a caller can wait for the outcome of a change`() async throws {
        let texts = await loader(showing: ["a"])
        let refused = Task { try await texts.mutate(TextChange.append("b")) }
        await sends.fail(request: 1, with: Refused())
        #expect(await failure(of: refused)?.code == .rejected)
        let accepted = Task { try await texts.mutate(TextChange.append("c")) }
        await sends.succeed(request: 2, with: nil)
        try await accepted.value
        #expect(texts.value == ["a", "c"])
    }

    @Test(.rule("R6", "A4"))
    func `if a change is refused, the changes that depend on it fail, too`() async throws {
        let texts = await loader(showing: [])
        try texts.enqueue(TextChange.append("a"))
        let first = try #require(texts.pending.first?.id)
        try texts.enqueue(TextChange.append("b"), after: [first])
        await sends.fail(request: 1, with: Refused())
        await waitUntil { texts.pending.map(\.error?.code) == [.rejected, .dependencyFailed] }
        #expect(texts.value == [])
        #expect(sends.ids == ["1 a"])
    }

    @Test(.rule("R6"))
    func `the response can contain a part of the record`() async throws {
        let loads = loads
        let sender = ChangeSender<Int, [String]> { (change: TextChange, _: Int, _: IdempotencyKey) in
            "part of \(change.text)"
        } merging: { (part: String, texts: inout [String]) in
            texts.append(part)
        }
        let texts = Loader(store: RecordStore(sending: sender)) { (id: Int) in try await loads.load(id) }
        texts.load(1)
        await loads.succeed(request: 1, with: ["a"])
        await texts.settled()
        try await texts.mutate(TextChange.append("b"))
        #expect(texts.value == ["a", "part of b"])
        #expect(loads.ids == [1])
    }

    @Test(.rule("R6"))
    func `the changes of an element are found by its ID`() async throws {
        let sent = LoadStub<String, Void>()
        let sender = ChangeSender<Int, [Item]> { (change: ItemEdit, _: Int, _: IdempotencyKey) in
            try await sent.load(change.item)
        }
        let items = Loader(store: RecordStore(sending: sender)) { (_: Int) in
            ["a", "b"].map { Item(id: $0, text: $0) }
        }
        items.load(1)
        await items.settled()
        try items.enqueue(ItemEdit(item: "a"), label: "edit a")
        try items.enqueue(ItemEdit(item: "b"), label: "edit b")
        #expect(items.pending(of: "a").map(\.label) == ["edit a"])
        #expect(items.pending(of: "b").map(\.label) == ["edit b"])
        #expect(items.pending(of: "c").isEmpty)
    }

    @Test(.rule("R6"))
    func `a store without a sender for the change throws noSender, and shows nothing`() async throws {
        let texts = await loader(showing: ["a"])
        let error = #expect(throws: FeatureError.self) { try texts.enqueue(OtherChange()) }
        #expect(error?.code == .noSender)
        #expect(error?.description.contains("OtherChange") == true)
        #expect(texts.value == ["a"])
        #expect(texts.pending.isEmpty)

        let loads = loads
        let other = Loader { (id: Int) in try await loads.load(id) }
        other.load(1)
        #expect(throws: FeatureError.self) { try other.enqueue(TextChange.append("b")) }
        let waiting = Task { try await other.mutate(TextChange.append("b")) }
        #expect(await failure(of: waiting)?.code == .noSender)
    }

    @Test func `a loader that shows nothing throws notLoaded`() {
        let loader = Loader(store: RecordStore(sending: sender())) { (_: Int) in [] as [String] }
        let error = #expect(throws: FeatureError.self) { try loader.enqueue(TextChange.append("b"), label: "add b") }
        #expect(error?.code == .notLoaded)
        #expect(error?.label == "add b")
    }

    @Test(.rule("R6"))
    func `a list creates and changes its items by changes`() async throws {
        let sent = LoadStub<String, Void>()
        let sender = ChangeSender<String, Item> { (change: ItemChange, id: String, _: IdempotencyKey) in
            try await sent.load("\(id) \(change.item.text)")
        }
        let list = PagedLoader<Int, Item>(store: RecordStore(sending: sender)) { _ in
            Page([Item(id: "old", text: "old")])
        }
        let new = ItemChange(item: Item(id: "new", text: "new"))
        #expect(throws: FeatureError.self) { try list.insert(new) }
        list.load()
        await list.settled()
        let key = try list.insert(new, label: "add")
        try list.enqueue(ItemChange(item: Item(id: "old", text: "edited")), of: "old")
        #expect(list.items.map(\.text) == ["new", "edited"])
        #expect(list.pending(of: "new").map(\.id) == [key])
        await sent.requests(atLeast: 2)
        #expect(Set(sent.ids) == ["new new", "old edited"])
        #expect(throws: FeatureError.self) { try list.enqueue(new, of: "unknown") }
    }
}
