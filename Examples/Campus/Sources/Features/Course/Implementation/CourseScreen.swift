import BackplaneFeatures
import CampusModels
import Foundation
import Observation
import Screens

/// A screen of one course, whose sections load, fail and are retried separately.
@Observable
final class CourseScreen: Screen {
    struct CourseModel: Sendable {
        let summary: String
    }

    struct TutorModel: Sendable {
        let name: String
        let email: String
        let officeHours: String
    }

    struct AppointmentModel: Sendable {
        let title: String
        let time: String
        let room: String
    }

    struct FailureModel: Sendable {
        let anyFailed: Bool
    }

    private let id: Course.ID
    private let course: Loader<Course.ID, Course>
    private let tutor: Loader<Course.ID, Tutor>
    private let schedule: Loader<Course.ID, [ScheduleItem]>
    private let todos: TodoList
    private let parts: LoaderGroup

    init(id: Course.ID, loading: CourseLoading, todos: TodoList) {
        self.id = id
        course = Loader(loading.course)
        tutor = Loader(loading.tutor)
        schedule = Loader(loading.schedule)
        self.todos = todos
        parts = LoaderGroup(course, tutor, schedule, todos.todos)
    }

    var title: String { course.value?.title ?? "Course" }
    var path: String { "/course/" + (id.rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") }

    var isBusy: Bool { parts.anyLoading || todos.isBusy }

    var sections: [Section] {
        [
            Section(id: "course", template: "course/summary", loader: course) { CourseModel(summary: $0.summary) },
            Section(id: "tutor", template: "course/tutor", loader: tutor) {
                TutorModel(name: $0.name, email: $0.email, officeHours: $0.officeHours)
            },
            Section(id: "schedule", template: "course/schedule", loader: schedule) { items in
                items.map {
                    AppointmentModel(
                        title: $0.title,
                        time: "\($0.day.rawValue.capitalized), \($0.starts)–\($0.ends)",
                        room: $0.room
                    )
                }
            },
            todos.section,
            // This section is always present. If it came and went, the whole page would be redrawn.
            Section(id: "failures", template: "course/failures") { FailureModel(anyFailed: self.parts.anyFailed) },
        ]
    }

    func load(on owner: any Actor) {
        course.load(id, on: owner)
        tutor.load(id, on: owner)
        schedule.load(id, on: owner)
        todos.todos.load(id, on: owner)
    }

    func handle(_ event: ScreenEvent) {
        switch event.name {
        case "retry": retry(event["section"])
        case "retry-all": parts.retry()
        default: todos.handle(event)
        }
    }

    private func retry(_ section: String?) {
        switch section {
        case "course": course.retry()
        case "tutor": tutor.retry()
        case "schedule": schedule.retry()
        case "to-dos": todos.todos.retry()
        default: break
        }
    }
}
