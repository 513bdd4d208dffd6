import BackplaneFeatures
import Testing

private actor Reader {
    private let page = Loader<Int, String> { id in "Page \(id)" }

    func read(_ id: Int) async -> String? {
        page.load(id)
        await page.settled()
        return page.value
    }

    func open(_ id: Int) -> Int? {
        page.load(id, on: self)
        return page.id
    }
}

@MainActor
struct LoaderCallers {
    private struct Offline: Error {}

    @Test func `a loader loads a value by its ID`() async {
        var isOffline = true
        let loader = Loader<Int, String> { id in
            if isOffline { throw Offline() }
            return "Course \(id)"
        }
        loader.load(1)
        await loader.settled()
        #expect(text(of: loader.state) == "failed")
        isOffline = false
        loader.retry()
        await loader.settled()
        #expect(text(of: loader.state) == "Course 1")
        loader.reload()
        #expect(loader.state.isLoading)
        #expect(loader.state.value == loader.value)
        loader.cancel()
        loader.load(2, on: MainActor.shared)
        await loader.settled()
        #expect(loader.state.error == nil)
        #expect(loader.value == "Course 2")
    }

    @Test func `a loader works on any actor`() async {
        let reader = Reader()
        #expect(await reader.read(7) == "Page 7")
        #expect(await reader.open(8) == 8)
    }

    private func text(of state: LoadState<String>) -> String {
        switch state {
        case .idle: "idle"
        case .loading(let previous): previous ?? "loading"
        case .loaded(let value): value
        case .deleted: "deleted"
        case .failed(_, let previous): previous ?? "failed"
        }
    }
}
