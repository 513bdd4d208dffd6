import BackplaneFeatures
import BackplaneTesting
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct LoaderGroupTests {
    private let tutors = LoadStub<Int, String>()
    private let todos = LoadStub<String, [Int]>()
    private let tutor: Loader<Int, String>
    private let todo: Loader<String, [Int]>
    private let group: LoaderGroup

    init() {
        tutor = Loader { [tutors] id in try await tutors.load(id) }
        todo = Loader { [todos] id in try await todos.load(id) }
        group = LoaderGroup(tutor, todo)
    }

    private func open() async {
        tutor.load(1)
        todo.load("a")
        await tutors.requests(atLeast: 1)
        await todos.requests(atLeast: 1)
    }

    @Test(.rule("M13")) func `a group combines the states of its sections, and each section loads independently`() async
    {
        #expect(!group.allLoaded)
        #expect(!group.anyLoading)
        await open()
        #expect(group.anyLoading)
        todos.succeed(with: [1])
        await todo.settled()
        #expect(todo.value == [1])
        #expect(group.anyLoading)
        #expect(!group.allLoaded)
        tutors.succeed(with: "Ada")
        await group.settled()
        #expect(group.allLoaded)
        #expect(!group.anyFailed)
    }

    @Test(.rule("M13")) func `a retry of a group loads only the failed sections`() async {
        await open()
        tutors.fail(with: Failure())
        todos.succeed(with: [1])
        await group.settled()
        #expect(group.anyFailed)
        #expect(!group.allLoaded)
        group.retry()
        await tutors.requests(atLeast: 2)
        tutors.succeed(with: "Ada")
        await group.settled()
        #expect(group.allLoaded)
        #expect(todos.ids == ["a"])
    }

    @Test(.rule("M13")) func `a list in a group is loaded, retried and cancelled like a loader`() async {
        struct Line: Identifiable { let id: Int }
        let pages = LoadStub<Int, Page<Int, Line>>()
        let list = PagedLoader { [pages] cursor in try await pages.load(cursor ?? 0) }
        let group = LoaderGroup(todo, lists: list)
        todo.load("a")
        list.load()
        await todos.requests(atLeast: 1)
        todos.succeed(with: [1])
        await todo.settled()
        #expect(group.anyLoading)
        await pages.requests(atLeast: 1)
        pages.fail(with: Failure())
        await group.settled()
        #expect(group.anyFailed)
        group.retry()
        await pages.requests(atLeast: 2)
        pages.succeed(with: Page([Line(id: 1)], next: 1))
        await group.settled()
        #expect(group.allLoaded)
        #expect(todos.ids == ["a"])
        group.reload()
        await pages.requests(atLeast: 3)
        group.cancel()
        #expect(!group.anyLoading)
        await pages.cancellations(atLeast: 1)
    }

    @Test func `a reload or a cancellation of a group applies to all of its sections`() async {
        await open()
        tutors.succeed(with: "Ada")
        todos.succeed(with: [1])
        await group.settled()
        group.reload()
        await tutors.requests(atLeast: 2)
        await todos.requests(atLeast: 2)
        group.cancel()
        #expect(group.allLoaded)
        await tutors.cancellations(atLeast: 1)
        await todos.cancellations(atLeast: 1)
    }
}
