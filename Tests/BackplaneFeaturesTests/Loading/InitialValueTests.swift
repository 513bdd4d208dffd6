import BackplaneFeatures
import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct InitialValueTests {
    private let loads = LoadStub<Int, String>()

    @Test(.rule("P5")) func `a known value is shown during the first load`() async {
        let loader = Loader(initially: { id in id == 1 ? "known" : nil }, loads.load)
        #expect(loader.value == nil)
        loader.load(1)
        guard case .loading(previous: "known") = loader.state else {
            Issue.record("The known value is not shown: \(loader.state)")
            return
        }
        await loads.succeed(request: 1, with: "loaded")
        await loader.settled()
        #expect(loader.value == "loaded")
        loader.load(2)
        #expect(loader.value == nil)
    }

    @Test(.rule("P5")) func `a known value does not replace a loaded one`() async {
        let store = RecordStore<Int, String>()
        let first = Loader(store: store, loads.load)
        first.load(1)
        await loads.succeed(request: 1, with: "loaded")
        await first.settled()
        let second = Loader(store: store, initially: { _ in "known" }, loads.load)
        second.load(1)
        #expect(second.value == "loaded")
        #expect(first.value == "loaded")
    }

    @Test(.rule("P5")) func `a known value stays after a failed load`() async {
        struct Lost: Error {}
        let loader = Loader(initially: { _ in "known" }, loads.load)
        loader.load(1)
        await loads.fail(request: 1, with: Lost())
        await loader.settled()
        #expect(loader.value == "known")
        #expect(loader.state.error is Lost)
    }

    @Test(.rule("P5")) func `a value that exists once is loaded without an ID`() async throws {
        var count = 0
        let loader = Loader(initially: 0) {
            count += 1
            return count
        }
        loader.load()
        #expect(loader.value == 0)
        await loader.settled()
        #expect(loader.value == 1)
        let shared = SharedLoads<NoID, Int> { _ in 7 }
        #expect(try await shared.value(for: NoID()) == 7)
    }

    @Test(.rule("P5")) func `a deleted value is different from a value that was never requested`() async throws {
        let loader = Loader<Int, String> { _ in "text" }
        if case .idle = loader.state {} else { Issue.record("Nothing was asked for: \(loader.state)") }
        #expect(!loader.state.isMissing)
        loader.load(1)
        await loader.settled()
        try loader.enqueue(Mutation(.delete) { _ in })
        if case .deleted = loader.state {} else { Issue.record("The value is deleted: \(loader.state)") }
        #expect(loader.state.isMissing)
        #expect(loader.value == nil)
    }
}
