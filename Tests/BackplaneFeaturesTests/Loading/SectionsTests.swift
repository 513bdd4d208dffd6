import BackplaneFeatures
import TestSupport
import Testing

private struct Unreachable: Error {}

/// A page of three sections, each with its own loader.
@MainActor private final class CoursePage {
    let tutor: Loader<Int, String>
    let schedule: Loader<Int, [String]>
    let todos: Loader<Int, [String]>

    init(
        tutor: @escaping (Int) async throws -> String,
        schedule: @escaping (Int) async throws -> [String],
        todos: @escaping (Int) async throws -> [String]
    ) {
        self.tutor = Loader(tutor)
        self.schedule = Loader(schedule)
        self.todos = Loader(todos)
    }

    func open(_ id: Int) {
        tutor.load(id)
        schedule.load(id)
        todos.load(id)
    }

    func settled() async {
        await tutor.settled()
        await schedule.settled()
        await todos.settled()
    }
}

@MainActor struct SectionsTests {
    @Test(.rule("M13"))
    func `a failed section does not affect the other sections, and a retry loads only that section`() async {
        var calls: [String] = []
        var isScheduleDown = true
        let page = CoursePage(
            tutor: { id in
                calls.append("tutor")
                return "Ada \(id)"
            },
            schedule: { _ in
                calls.append("schedule")
                if isScheduleDown { throw Unreachable() }
                return ["Monday"]
            },
            todos: { _ in
                calls.append("todos")
                return ["read"]
            }
        )
        page.open(7)
        await page.settled()
        #expect(page.tutor.value == "Ada 7")
        #expect(page.todos.value == ["read"])
        #expect(page.schedule.value == nil)
        #expect(page.schedule.state.error is Unreachable)

        isScheduleDown = false
        page.schedule.retry()
        #expect(page.tutor.value == "Ada 7")
        await page.settled()
        #expect(page.schedule.value == ["Monday"])
        #expect(calls.sorted() == ["schedule", "schedule", "todos", "tutor"])
    }
}
