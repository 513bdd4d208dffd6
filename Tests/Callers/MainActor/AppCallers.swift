import Backplane
import BackplaneFeatures
import BackplaneTesting
import Observation
import Testing

// The interface module of an app is nonisolated.

nonisolated struct CourseID: Hashable, RawRepresentable, LinkParameter {
    let rawValue: String
}

nonisolated enum CoursePage: BoardContract {
    typealias Input = CourseID
    typealias Output = String
    enum Command { case close }
}

nonisolated enum Login: BoardContract {
    typealias Output = String
}

extension BoardID<CoursePage> {
    nonisolated static var course: Self { "course" }
}

extension BoardID<Login> {
    nonisolated static var login: Self { "login" }
}

// The implementation is on the main actor by default.

@Observable
final class CourseModel: LifetimeOwner {
    let lifetime = Lifetime()
    let course: Loader<CourseID, String>
    private(set) var isTicked = false

    init(load: @escaping (CourseID) async throws -> String) {
        course = Loader(load)
    }

    func tick() { isTicked = true }
}

final class CourseBoard: Board {
    let slot: Slot<CoursePage>
    let model: CourseModel
    private let ticks: Bus<Bool>

    init(slot: Slot<CoursePage>, model: CourseModel) {
        self.slot = slot
        self.model = model
        ticks = Bus(for: slot)
    }

    func activate(with id: CourseID) {
        ticks.connect(model) { model, _ in model.tick() }
        pair(with: model)
        model.course.load(id)
        task {
            await self.model.course.settled()
            self.ticks.send(true)
            self.send(self.model.course.value ?? "")
        }
    }

    func receive(_ command: CoursePage.Command) {
        switch command {
        case .close: complete()
        }
    }
}

struct CourseModule: BoardModule {
    let model: CourseModel

    func register(on motherboard: Motherboard) {
        motherboard.register(.course) { slot in CourseBoard(slot: slot, model: model) }
        motherboard.registerTask(.login, .exclusive) { _, _ in "ada" }
        motherboard.gate(.course, by: .login) { _ in .open }
        motherboard.registerLink("course/{id}", to: .course)
    }
}

final class App {
    let motherboard = Motherboard.onMain()
    let titled = AsyncLatch()
    private(set) var title = ""

    init(model: CourseModel) {
        motherboard.install(CourseModule(model: model))
        motherboard.registerFlow(from: .course, weak: self) { app, title in app.show(title) }
    }

    private func show(_ title: String) {
        self.title = title
        titled.open()
    }
}

struct AppCallers {
    @Test func `an app with main-actor default isolation needs no annotations`() async throws {
        let model = CourseModel { id in "Course \(id.rawValue)" }
        let app = App(model: model)
        #expect(app.motherboard.open("/course/abc123") == .waiting)
        await app.titled.wait()
        #expect(app.title == "Course abc123")
        #expect(model.isTicked)
        #expect(app.motherboard.send(.close, to: .course) == .delivered(1))
        #expect(try await app.motherboard.result(of: .login) == "ada")
    }
}
