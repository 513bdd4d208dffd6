import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneFeatures

/// A loader whose loads and sends never end, fail late, or lose their response.
@MainActor @Suite(.timeLimit(.minutes(5))) struct RecordWaitingTests {
    private let clock = ManualClock()
    private let loads = LoadStub<Int, String>()
    private let sends = LoadStub<IdempotencyKey, String?>()
    private let store: RecordStore<Int, String>
    private let loader: Loader<Int, String>

    init() {
        let store = RecordStore<Int, String>(clock: clock)
        self.store = store
        loader = Loader(store: store) { [loads] id in try await loads.load(id) }
    }

    private func exclaim() -> Mutation<String> {
        Mutation(.edit { $0 += "!" }, label: "exclaim") { [sends] key in
            try await sends.load(key)
        } confirming: {
            $0
        }
    }

    /// Makes a change before the first load has ended, and loses its response.
    private func loseChange() async throws {
        loader.load(1)
        await loads.requests(atLeast: 1)
        try loader.enqueue(exclaim())
        await sends.fail(request: 1, with: NoAnswer())
        await waitUntil { loader.pending.map(\.status) == [.unconfirmed] }
    }

    @Test(.rule("A19", "A20"))
    func `the first value is shown with a change that gets no response, and the wait ends`() async throws {
        try await loseChange()
        let settled = Task { await loader.settled() }
        loads.succeed(with: "base")
        await settled.value
        #expect(loader.value == "base!")
        #expect(!loader.state.isLoading)
    }

    @Test(.rule("A19")) func `a reload loads, even if a change before the first value gets no response`() async throws {
        try await loseChange()
        loads.succeed(with: "base")
        await loader.settled()
        loader.reload()
        await loads.requests(atLeast: 2)
        #expect(loader.state.isLoading)
        loader.cancel()
        #expect(!loader.state.isLoading)
    }

    @Test(.rule("A19"))
    func `a failed first load stays failed after a refresh with an unconfirmed change, until the load`() async throws {
        try await loseChange()
        loads.fail(with: Failure())
        await loader.settled()
        #expect(loader.state.error is Failure)
        store.refresh()
        #expect(loader.state.isLoading)
        await loads.fail(request: 2, with: Failure())
        await loader.settled()
        #expect(loader.state.error is Failure)
        loader.retry()
        await loads.succeed(request: 3, with: "base")
        await loader.settled()
        #expect(loader.value == "base!")
        #expect(loader.state.error == nil)
    }

    @Test(.rule("A19", "A22")) func `a refresh supersedes a hanging load during an unconfirmed change`()
        async throws
    {
        loader.load(1)
        await loads.succeed(request: 1, with: "base")
        await loader.settled()
        try loader.enqueue(exclaim())
        await sends.requests(atLeast: 1)
        loader.reload()
        await loads.requests(atLeast: 2)
        store.refresh()
        await loads.requests(atLeast: 3)
        await loads.cancellations(atLeast: 1)
        loads.succeed(with: "newer")
        await loader.settled()
        #expect(loader.value == "base!", "The loaded value may or may not contain the change.")
    }

    @Test(.rule("A22")) func `a refresh supersedes a hanging reload, even if the value is fresh`() async {
        let store = RecordStore<String, Memo>(staleAfter: .seconds(60), clock: clock)
        let pages = LoadStub<String, Memo>()
        let loader = Loader(store: store) { try await pages.load($0) }
        let list = PagedLoader<Int, Memo>(store: store) { _ in Page([try await pages.load("list")]) }
        loader.load("a")
        list.load()
        await pages.requests(atLeast: 2)
        for id in ["a", "list"] { pages.succeed(id, with: Memo("a")) }
        await loader.settled()
        await list.settled()
        loader.reload()
        list.reload()
        await pages.requests(atLeast: 4)
        store.refresh()
        await pages.requests(atLeast: 6)
        await pages.cancellations(atLeast: 2)
        for id in ["a", "list"] { pages.succeed(id, with: Memo("a", "new")) }
        await loader.settled()
        await list.settled()
        #expect(loader.value?.text == "new")
    }

    @Test(.rule("A28")) func `a load that is not shown yet does not make the value fresh`() async throws {
        let store = RecordStore<Int, String>(staleAfter: .seconds(60), clock: clock)
        let loader = Loader(store: store) { [loads] id in try await loads.load(id) }
        loader.load(1)
        await loads.succeed(request: 1, with: "base")
        await loader.settled()
        try loader.enqueue(exclaim())
        await sends.requests(atLeast: 1)
        clock.advance(by: .seconds(50))
        loader.reload()
        await loads.succeed(request: 2, with: "newer")
        await loader.settled()
        #expect(loader.value == "base!")
        clock.advance(by: .seconds(10))
        loader.load(1)
        #expect(loader.state.isLoading, "The value is 60 seconds old.")
    }

    @Test(.rule("A28")) func `a page that is too old to be used does not make its items fresh`() async throws {
        let store = RecordStore<String, Memo>(revision: { Int($0.text) }, staleAfter: .seconds(60), clock: clock)
        let loader = Loader<String, Memo>(store: store) { Memo($0, "2") }
        let list = PagedLoader<Int, Memo>(store: store) { _ in Page([Memo("a", "1")]) }
        loader.load("a")
        await loader.settled()
        clock.advance(by: .seconds(50))
        list.load()
        await list.settled()
        #expect(loader.value?.text == "2")
        clock.advance(by: .seconds(10))
        loader.load("a")
        #expect(loader.state.isLoading, "The value is 60 seconds old.")
        await loader.settled()
    }

    @Test(.rule("A29")) func `a loader that waits for another ID does not keep a load running`() async {
        var page: Loader<Int, String>? = Loader(store: store) { [loads] id in try await loads.load(id) }
        loader.load(1)
        page?.load(1)
        await loads.requests(atLeast: 1)
        loader.load(2)
        await loads.requests(atLeast: 2)
        page = nil
        await loads.cancellations(atLeast: 1)
        #expect(loads.cancelled == [1])
        loader.cancel()
        await loads.cancellations(atLeast: 2)
    }

    @Test(.rule("A29")) func `a load continues if a task waits for its loader after the screen is gone`()
        async
    {
        var page: Loader<Int, String>? = Loader(store: store) { [loads] id in try await loads.load(id) }
        page?.load(1)
        loader.load(1)
        await loads.requests(atLeast: 1)
        let waiter = Task { [page] in await page?.settled() }
        await Task {}.value
        page = nil
        loader.cancel()
        #expect(!loader.state.isLoading)
        #expect(loads.pending == [1])
        loads.succeed(with: "one")
        await waiter.value
        #expect(loads.cancelled.isEmpty)
    }

    @Test(.rule("A19")) func `a loader that returns to a record shows no cancelled load`()
        async
    {
        let answers = Answers()
        let loader = Loader(store: store) { try await answers.load($0) }
        loader.load(1)
        await answers.arrival(0)
        answers.answer(0, .success("one"))
        await loader.settled()
        var page: Loader<Int, String>? = Loader(store: store) { try await answers.load($0) }
        page?.load(1)
        await answers.arrival(1)
        loader.load(2)
        await answers.arrival(2)
        page = nil
        loader.cancel()
        #expect(loader.value == "one")
        #expect(!loader.state.isLoading)
        for call in 1...2 {
            answers.answer(call, .success("late"))
            await answers.departure(call)
        }
        #expect(loader.value == "one")
    }

    @Test(.rule("A29")) func `a load is cancelled, even if another loader returns to its record later`() async {
        let page = Loader(store: store) { [loads] id in try await loads.load(id) }
        page.load(1)
        loader.load(1)
        await loads.succeed(request: 1, with: "one")
        await page.settled()
        loader.load(2)
        await loads.requests(atLeast: 2)
        page.reload()
        await loads.requests(atLeast: 3)
        page.cancel()
        #expect(page.state.value == "one")
        #expect(!page.state.isLoading)
        await loads.cancellations(atLeast: 1)
        loader.cancel()
        #expect(loader.value == "one")
        loader.reload()
        await loads.succeed(request: 4, with: "again")
        await loader.settled()
        #expect(page.value == "again")
    }
}

/// The same rules without tasks.
struct RecordStateMachineWaitingTests {
    private var machine = TextMachine.showing(["base"])

    @Test(.rule("A19", "A20")) func `the first value is shown with pending changes, and a reload follows the last`() {
        let machine = TextMachine()
        let a = Mutation.append("a")
        let first = machine.beginLoad()
        #expect(text(machine.append(a), ["a": a]) == ["send a"])
        #expect(machine.visible.value == nil)
        #expect(text(machine.finish(first, with: ["base"])) == [])
        #expect(machine.visible.value == ["base", "a"])
        #expect(!machine.isLoading)
        let b = Mutation.append("b")
        _ = machine.append(b)
        #expect(
            text(machine.acknowledge(a.id, with: .value(["base", "a"])), ["a": a, "b": b]) == [
                "a acknowledged", "send b",
            ]
        )
        #expect(machine.visible.value == ["base", "a", "b"])
        #expect(!machine.isLoading)
        #expect(
            text(machine.acknowledge(b.id, with: .value(["base", "a", "b"])), ["b": b]) == ["b acknowledged", "reload"]
        )
    }

    @Test(.rule("A20")) func `with revisions, the first value after a change needs no reload`() {
        let machine = TextMachine()
        let (a, first) = (Mutation.append("a"), machine.beginLoad())
        _ = machine.append(a)
        _ = machine.finish(first, with: ["base"], revision: 1)
        #expect(machine.visible.value == ["base", "a"])
        #expect(text(machine.acknowledge(a.id, with: .value(["base", "a"]), revision: 2)) == ["? acknowledged"])
        #expect(machine.visible.value == ["base", "a"])
    }

    @Test(.rule("A20")) func `a first value that may lack a confirmed change is not shown, and is loaded again`() {
        let machine = TextMachine()
        let (a, b, first) = (Mutation.append("a"), Mutation.append("b"), machine.beginLoad())
        _ = machine.append(a)
        _ = machine.append(b)
        _ = machine.acknowledge(a.id)
        #expect(text(machine.finish(first, with: ["base"])) == ["reload"])
        #expect(machine.visible.value == nil)
        machine.load(["base", "a"])
        #expect(machine.visible.value == ["base", "a", "b"])
    }

    @Test(.rule("A20", "A7")) func `a value from before a rejection is shown, because it cannot contain the change`() {
        let clock = LogicalClock()
        let machine = TextMachine(logicalClock: clock)
        let (a, page) = (Mutation.append("a"), clock.startLoad())
        _ = machine.append(a)
        _ = machine.reject(a.id, Refused())
        #expect(text(machine.finish(page, with: ["page"])) == [])
        #expect(machine.visible.value == ["page"])
    }

    @Test(.rule("A4")) func `an edit of a record whose creation fails is not sent`() {
        let machine = TextMachine()
        let (creation, edit, again, last) = (
            Mutation.create("a"), Mutation.append("b"), Mutation.create("c"), Mutation.append("d")
        )
        for mutation in [creation, edit, again, last] { _ = machine.append(mutation) }
        #expect(
            text(machine.reject(creation.id, Refused()), ["creation": creation, "edit": edit, "again": again])
                == ["creation rejected", "edit targetMissing", "send again"]
        )
        #expect(machine.visible.value == ["c", "d"])
    }

    @Test(.rule("A4")) func `if the creation of a record fails, its deletion is done without a request`() {
        let machine = TextMachine()
        let (creation, deletion, again) = (Mutation.create("a"), Mutation.delete(), Mutation.create("b"))
        let needing = Mutation.append("c", after: [deletion.id])
        machine.creation = creation.id
        for mutation in [creation, deletion, again, needing] { _ = machine.append(mutation) }
        #expect(
            text(machine.reject(creation.id, Refused()), ["creation": creation, "deletion": deletion, "again": again])
                == ["creation rejected", "deletion acknowledged", "send again"]
        )
        #expect(machine.visible.value == ["b", "c"])
        #expect(machine.failures.map(\.id) == [creation.id])
    }

    @Test(.rule("A4")) func `if the refused change before a deletion was not an insertion, the deletion is sent`() {
        let machine = TextMachine()
        let (change, deletion) = (Mutation.create("a"), Mutation.delete())
        for mutation in [change, deletion] { _ = machine.append(mutation) }
        // The server may have had the record all along.
        #expect(
            text(machine.reject(change.id, Refused()), ["change": change, "deletion": deletion])
                == ["change rejected", "send deletion"]
        )
    }

    @Test(.rule("A4")) func `a change that is being sent does not fail when a later creation fails`() {
        let machine = TextMachine()
        let (edit, creation) = (Mutation.append("a"), Mutation.create("b"))
        for mutation in [edit, creation] { _ = machine.append(mutation) }
        #expect(text(machine.reject(creation.id, Refused()), ["creation": creation]) == ["creation rejected"])
        #expect(machine.log.first?.mutation.id == edit.id)
    }

    @Test(.rule("A20")) func `only the first value is shown during a send`() {
        let machine = TextMachine()
        let a = Mutation.append("a")
        _ = machine.append(a)
        machine.load(["base"])
        machine.load(["newer"])
        #expect(machine.visible.value == ["base", "a"])
    }

    @Test(.rule("A20"))
    func `a refused change does not stay visible in the first value`() {
        let machine = TextMachine()
        let a = Mutation.append("a")
        _ = machine.append(a)
        machine.load(["base"])
        #expect(text(machine.reject(a.id, Refused())) == ["? rejected", "reload"])
        #expect(machine.visible.value == ["base"])
    }

    @Test(.rule("A19")) func `a reload that is needed starts at once while no value is shown`() {
        let machine = TextMachine()
        _ = machine.append(.append("a"))
        #expect(text(machine.expectReload()) == ["reload"])
    }

    @Test(.rule("A27")) mutating func `a newer value ends the error of an older load`() {
        machine.fail(machine.beginLoad(), Refused())
        #expect(machine.loadError is Refused)
        _ = machine.finish(LoadStamp(number: 1_000), with: ["page"])
        #expect(machine.loadError == nil)
    }

    @Test(.rule("A27")) func `an older value does not end the error of a newer load`() {
        let clock = LogicalClock()
        let machine = TextMachine(logicalClock: clock)
        let page = clock.startLoad()
        machine.fail(machine.beginLoad(), Refused())
        _ = machine.finish(page, with: ["page"])
        #expect(machine.loadError is Refused)
        #expect(machine.visible.value == ["page"])
    }

    @Test(.rule("A27")) mutating func `the value in a response ends the error of an earlier load`() {
        machine.fail(machine.beginLoad(), Refused())
        let a = Mutation.append("a")
        _ = machine.append(a)
        _ = machine.acknowledge(a.id, with: .value(["base", "a"]))
        #expect(machine.loadError == nil)
    }

    @Test(.rule("A23")) mutating func `after a failure is dismissed, the changes that depend on it still fail`() {
        let a = Mutation.append("a")
        _ = machine.append(a)
        _ = machine.reject(a.id, Refused())
        machine.dismiss(a.id)
        #expect(machine.failures.isEmpty)
        let b = Mutation.append("b", after: [a.id])
        #expect(text(machine.append(b), ["b": b]) == ["b dependencyFailed"])
        #expect(machine.visible.value == ["base"])
        let (again, c) = (a, Mutation.append("c", after: [a.id]))
        _ = machine.append(again)
        _ = machine.append(c)
        #expect(machine.visible.value == ["base", "a", "c"], "It was made again.")
    }
}
