import BackplaneFeatures
import CampusModels
import Foundation
import Observation
import Screens

/// A course by its ID, of which every section loads, fails and is retried on its own.
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

    struct TodoModel: Sendable {
        let title: String
        let isDone: Bool
    }

    private let id: Course.ID
    private let course: Loader<Course.ID, Course>
    private let tutor: Loader<Course.ID, Tutor>
    private let schedule: Loader<Course.ID, [ScheduleItem]>
    private let todos: Loader<Course.ID, [Todo]>

    init(id: Course.ID, loading: CourseLoading) {
        self.id = id
        course = Loader(loading.course)
        tutor = Loader(loading.tutor)
        schedule = Loader(loading.schedule)
        todos = Loader(loading.todos)
    }

    var title: String { course.value?.title ?? "Course" }
    var path: String { "/course/" + (id.rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") }

    var isBusy: Bool {
        course.state.isLoading || tutor.state.isLoading || schedule.state.isLoading || todos.state.isLoading
    }

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
            Section(id: "to-dos", template: "course/to-dos", loader: todos) { todos in
                todos.map { TodoModel(title: $0.title, isDone: $0.isDone) }
            },
        ]
    }

    func load(on owner: any Actor) {
        course.load(id, on: owner)
        tutor.load(id, on: owner)
        schedule.load(id, on: owner)
        todos.load(id, on: owner)
    }

    func handle(_ event: ScreenEvent) {
        guard event.name == "retry" else { return }
        switch event["section"] {
        case "course": course.retry()
        case "tutor": tutor.retry()
        case "schedule": schedule.retry()
        case "to-dos": todos.retry()
        default: break
        }
    }
}
