import BackplaneFeatures
import BackplaneTesting
import CampusModels
import CourseModels
import Screens
import Testing

/// Tests of a course's model without a host.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CourseModelTests {
    /// A fake of the server and of the board behind a course.
    @MainActor
    private final class Desk {
        var isTutorBroken = false
        /// The errors of the next changes, which are not made.
        var errors: [any Error] = []
        /// The latch that delays changes before they are made; `nil` if nothing delays them.
        var latch: AsyncLatch?
        /// The keys of the requested changes, in order.
        private(set) var keys: [IdempotencyKey] = []
        private(set) var scheduleLoads = 0
        /// The number of changes that were reported.
        private(set) var reports = 0
        private var todos = ["read", "write"].map { Todo(id: Todo.ID(rawValue: $0), title: $0, isDone: false, rev: 0) }
        private lazy var store = RecordStore<Course.ID, [Todo]>(
            clock: ManualClock(),
            sending: ChangeSender<Course.ID, [Todo]> { (tick: TickTodo, _: Course.ID, key: IdempotencyKey) in
                try await self.make(tick, with: key)
            } merging: { (changed: Todo, todos: inout [Todo]) in
                todos = todos.map { $0.id == changed.id ? changed : $0 }
            }
            .onConfirmation { _ in self.reports += 1 }
        )

        /// Creates a course that does not load yet.
        func makeCourse(_ id: Course.ID = "abc123", canChange: Bool = true) -> CourseModel {
            let loading = CourseLoading(
                course: { Course(id: $0, title: "Engines", summary: "") },
                tutor: { _ in try await self.loadTutor() },
                schedule: { _ in await self.loadSchedule() },
                todos: { _ in await self.loadTodos() }
            )
            let todos = TodoList(todos: Loader(store: store, loading.todos), canChange: canChange)
            return CourseModel(id: id, loading: loading, todos: todos)
        }

        private func loadTutor() async throws -> Tutor {
            if isTutorBroken { throw DisplayError("Broken.") }
            return Tutor(id: "t", name: "Babbage", email: "", officeHours: "")
        }

        private func loadSchedule() async -> [ScheduleItem] {
            scheduleLoads += 1
            return []
        }

        private func loadTodos() async -> [Todo] { todos }

        private func make(_ tick: TickTodo, with key: IdempotencyKey) async throws -> Todo {
            keys.append(key)
            await latch?.wait()
            if !errors.isEmpty { throw errors.removeFirst() }
            guard let index = todos.firstIndex(where: { $0.id == tick.todo }) else {
                throw refusal("There is no such to-do.")
            }
            todos[index].isDone = tick.isDone
            return todos[index]
        }
    }

    private let desk = Desk()

    private func until(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    /// Creates a course, and returns it when its parts have loaded.
    private func openCourse(canChange: Bool = true) async -> CourseModel {
        let course = desk.makeCourse(canChange: canChange)
        course.load()
        await until { !course.isBusy }
        return course
    }

    /// Returns whether each to-do is shown as done.
    private func marks(_ course: CourseModel) -> [Bool]? { course.todos.todos.value?.map(\.isDone) }

    private func reason(of change: PendingMutation?) -> String? {
        change.map { DisplayError.message(of: $0.error, else: "") }
    }

    @Test func `a course is busy until all its parts have loaded`() async {
        let course = desk.makeCourse("lin 201")
        #expect(course.path == "/course/lin%20201")
        #expect(!course.isBusy)
        course.load()
        #expect(course.isBusy)
        await until { !course.isBusy }
        #expect(course.course.value?.title == "Engines")
        #expect(course.tutor.value?.name == "Babbage")
        #expect(course.schedule.value == [])
        #expect(marks(course) == [false, false])
        #expect(!course.anyFailed)
    }

    @Test func `retrying all loads only the failed parts again`() async {
        desk.isTutorBroken = true
        let course = await openCourse()
        #expect(course.anyFailed)
        #expect(course.tutor.state.problem == "Broken.")
        desk.isTutorBroken = false
        course.retryAll()
        await until { !course.isBusy }
        #expect(!course.anyFailed)
        #expect(course.tutor.value?.name == "Babbage")
        #expect(desk.scheduleLoads == 1)
    }

    @Test func `retrying a failed part loads only this part again`() async {
        desk.isTutorBroken = true
        let course = await openCourse()
        desk.isTutorBroken = false
        course.retry(.tutor)
        await until { !course.isBusy }
        #expect(course.tutor.value?.name == "Babbage")
        #expect(desk.scheduleLoads == 1)
    }

    @Test func `a tick shows as unsaved until the server confirms it, and is then reported`() async {
        let latch = AsyncLatch()
        desk.latch = latch
        let course = await openCourse()
        course.todos.tick("read")
        #expect(course.isBusy)
        await until { desk.keys.count == 1 }
        #expect(marks(course) == [true, false])
        #expect(course.todos.unsaved == ["read"])
        #expect(desk.reports == 0)
        latch.open()
        await until { !course.isBusy }
        #expect(marks(course) == [true, false])
        #expect(course.todos.unsaved.isEmpty)
        #expect(desk.reports == 1)
        course.todos.untick("read")
        await until { !course.isBusy }
        #expect(marks(course) == [false, false])
        #expect(desk.reports == 2)
    }

    @Test func `a rejected tick is undone, and its reason stays until it is dismissed`() async {
        desk.errors = [refusal("Too late.")]
        let course = await openCourse()
        course.todos.tick("write")
        await until { !course.isBusy }
        #expect(marks(course) == [false, false])
        #expect(course.todos.unsaved.isEmpty)
        #expect(reason(of: course.todos.todos.pending.first) == "Too late.")
        for change in course.todos.todos.pending { course.todos.dismiss(change: "\(change.id)") }
        #expect(course.todos.todos.pending.isEmpty)
        #expect(desk.reports == 0)
    }

    @Test func `a rejected tick that is made again shows no old reason, and has the name of its to-do`() async {
        desk.errors = [refusal("Too late.")]
        let course = await openCourse()
        course.todos.tick("write")
        await until { !course.isBusy }
        #expect(course.todos.todos.pending.map(\.label) == ["write"])
        course.todos.tick("write")
        await until { !course.isBusy }
        #expect(course.todos.todos.pending.isEmpty)
        #expect(marks(course) == [false, true])
    }

    @Test func `a tick without a response stays, and is resent with the same key`() async {
        desk.errors = [DisplayError("No answer.")]
        let course = await openCourse()
        course.todos.tick("read")
        await until { course.todos.todos.pending.contains { $0.status == .unconfirmed } }
        #expect(marks(course) == [true, false])
        #expect(course.todos.unsaved == ["read"])
        #expect(desk.reports == 0)
        course.todos.resend()
        await until { !course.isBusy }
        #expect(marks(course) == [true, false])
        #expect(course.todos.unsaved.isEmpty)
        #expect(desk.keys.count == 2)
        #expect(Set(desk.keys).count == 1)
        #expect(desk.reports == 1)
    }

    @Test func `if a tick is confirmed after its course has closed, this is still reported`() async {
        let latch = AsyncLatch()
        desk.latch = latch
        var course: CourseModel? = await openCourse()
        course?.todos.tick("read")
        await until { desk.keys.count == 1 }
        course = nil
        latch.open()
        await until { desk.reports == 1 }
        #expect(desk.reports == 1)
        let reopened = await openCourse()
        await until { reopened.todos.unsaved.isEmpty }
        #expect(marks(reopened) == [true, false])
        #expect(desk.keys.count == 1)
    }

    @Test func `read-only to-dos cannot be ticked`() async {
        let course = await openCourse(canChange: false)
        #expect(!course.todos.canChange)
        course.todos.tick("read")
        #expect(!course.isBusy)
        #expect(marks(course) == [false, false])
        #expect(course.todos.todos.pending.isEmpty)
    }

    @Test func `a tick of an unknown to-do is not sent, and fails with a reason`() async {
        let course = await openCourse()
        course.todos.tick("nothing")
        await until { !course.isBusy }
        #expect(desk.keys.isEmpty)
        #expect(course.todos.todos.pending.first?.error?.code == .targetMissing)
        #expect(desk.reports == 0)
    }
}
