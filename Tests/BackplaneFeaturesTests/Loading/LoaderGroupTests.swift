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
        await tutors.succeed(request: 2, with: "Ada")
        await group.settled()
        #expect(group.allLoaded)
        #expect(todos.ids == ["a"])
    }

    @Test(.rule("M13")) func `a list in a group is loaded and retried like a loader`() async {
        struct Line: Identifiable { let id: Int }
        let pages = LoadStub<Int, Page<Int, Line>>()
        let list = PagedLoader { [pages] cursor in try await pages.load(cursor ?? 0) }
        let group = LoaderGroup(todo, lists: list)
        todo.load("a")
        list.load()
        await todos.succeed(request: 1, with: [1])
        await todo.settled()
        #expect(group.anyLoading)
        await pages.fail(request: 1, with: Failure())
        await group.settled()
        #expect(group.anyFailed)
        group.retry()
        await pages.succeed(request: 2, with: Page([Line(id: 1)], next: 1))
        await group.settled()
        #expect(group.allLoaded)
        #expect(todos.ids == ["a"])
    }
}
