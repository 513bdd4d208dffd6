import BackplaneFeatures
import BackplaneTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct LoadStubTests {
    struct NotFound: Error {}

    let courses = LoadStub<Int, String>()

    @Test func `a loader receives the results that the test supplies`() async {
        let loader = Loader(courses.load)
        loader.load(1)
        await courses.requests(atLeast: 1)
        #expect(loader.state.isLoading)
        courses.succeed(with: "Swift")
        await loader.settled()
        #expect(loader.value == "Swift")

        loader.load(2)
        await courses.requests(atLeast: 2)
        courses.fail(with: NotFound())
        await loader.settled()
        #expect(loader.state.error is NotFound)
        #expect(courses.ids == [1, 2])
        #expect(courses.pending.isEmpty)
    }

    @Test func `the test completes requests by ID or oldest first`() async {
        let loads = [1, 2, 1, 3].map { id in Task { try await courses.load(id) } }
        await courses.requests(atLeast: 4)
        #expect(courses.pending == [1, 2, 1, 3])
        courses.succeed(2, with: "b")
        courses.fail(3, with: NotFound())
        courses.succeed(with: "a")
        courses.succeed(1, with: "c")
        #expect(courses.pending.isEmpty)
        let results = [await loads[0].result, await loads[1].result, await loads[2].result, await loads[3].result]
        #expect(results.map { try? $0.get() } == ["a", "b", "c", nil])
        #expect(throws: NotFound.self) { try results[3].get() }
        #expect(courses.cancelled.isEmpty)
    }

    @Test func `a cancelled request ends at once and receives no result`() async {
        let loader = Loader(courses.load)
        loader.load(1)
        await courses.requests(atLeast: 1)
        loader.load(2)
        await courses.requests(atLeast: 2)
        await courses.cancellations(atLeast: 1)
        #expect(courses.cancelled == [1])
        #expect(courses.pending == [2])
        courses.succeed(with: "Swift")
        await loader.settled()
        #expect(loader.value == "Swift")
    }

    @Test func `a request is not pending any more as soon as it is cancelled`() async throws {
        let first = Task { try await courses.load(1) }
        await courses.requests(atLeast: 1)
        let second = Task { try await courses.load(1) }
        await courses.requests(atLeast: 2)
        first.cancel()
        #expect(courses.pending == [1])
        courses.succeed(with: "Swift")
        #expect(try await second.value == "Swift")
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    @Test func `cancelling a completed request has no effect`() async throws {
        let load = Task { try await courses.load(1) }
        await courses.requests(atLeast: 1)
        courses.succeed(with: "Swift")
        load.cancel()
        #expect(try await load.value == "Swift")
        #expect(courses.cancelled.isEmpty)
    }

    @Test func `a result without a request fails the test`() {
        let line = #line + 2
        let failures = failures {
            courses.succeed(with: "Swift")
            courses.fail(7, with: NotFound())
        }
        #expect(
            failures.map(\.message) == [
                "There is no request to answer; wait for one with `requests(atLeast:)`.",
                "There is no request for 7 to answer; wait for one with `requests(atLeast:)`.",
            ]
        )
        #expect(failures.map(\.line) == [line, line + 1])
    }

    @Test func `a wait that times out fails the test`() async {
        let failures = await failuresLater {
            await courses.requests(atLeast: 1, within: .zero)
            await courses.cancellations(atLeast: 1, within: .zero)
        }
        #expect(
            failures.map(\.message) == [
                "Waited for requests: 0 of 1 came within 0.0 seconds.",
                "Waited for cancellations: 0 of 1 came within 0.0 seconds.",
            ]
        )
    }

    @Test func `the stub loads on the actor of its loader`() async {
        await Library().run()
    }

    private actor Library {
        private let books = LoadStub<String, Int>()
        private lazy var loader = Loader(books.load)

        func run() async {
            loader.load("a")
            await books.requests(atLeast: 1)
            assertIsolated()
            books.succeed(with: 1)
            await loader.settled()
            #expect(loader.value == 1)
        }
    }
}
