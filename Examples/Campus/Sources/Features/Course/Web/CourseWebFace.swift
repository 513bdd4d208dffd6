import BackplaneFeatures
import CampusModels
public import CourseModels
import DashboardInterface
import Foundation
public import Screens
public import WebHost

/// One course in a browser.
public struct CourseWebFace: WebFace {
    /// The type of the screens; inside the face, `CourseModel` is the model of a section.
    public typealias Model = CourseModels.CourseModel

    /// The events of the page.
    public enum Event: String, CaseIterable {
        /// Marks the to-do in the field `todo` as done.
        case tick
        /// Marks the to-do in the field `todo` as open.
        case untick
        /// Removes the rejected change in the field `change`.
        case dismiss
        /// Resends the unconfirmed changes.
        case resend
        /// Loads the section in the field `section` again after a failure.
        case retry
        /// Loads all failed sections again.
        case retryAll = "retry-all"
    }

    private typealias Part = Model.Part

    struct Missing: Sendable {
        let courses: String
    }

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

    /// The templates of the sections.
    public let templates = [
        "course/summary": WebTemplate(PackageResources.summary_mustache),
        "course/tutor": WebTemplate(PackageResources.tutor_mustache),
        "course/schedule": WebTemplate(PackageResources.schedule_mustache),
        "course/to-dos": WebTemplate(PackageResources.to_dos_mustache),
        "course/failures": WebTemplate(PackageResources.failures_mustache),
        "course/missing": WebTemplate(PackageResources.missing_mustache),
    ]

    /// Creates the face.
    public init() {}

    /// The title of the course.
    public func title(of page: Model) -> String {
        page.isMissing ? "Course not found" : page.course.value?.title ?? "Course"
    }

    /// The way back, a section for each part of the course, and one that reloads all failed parts.
    public func sections(of page: Model) -> [Section] {
        // A section without a course is not worth a retry.
        if page.isMissing { return [Section(id: "missing", template: "course/missing") { Missing(courses: Dashboard.path) }] }
        return [
            .breadcrumb(BarEntry("Dashboard", path: Dashboard.path)) { title(of: page) },
            Section(id: Part.course.rawValue, template: "course/summary", loader: page.course) {
                CourseModel(summary: $0.summary)
            },
            Section(id: Part.tutor.rawValue, template: "course/tutor", loader: page.tutor) {
                TutorModel(name: $0.name, email: $0.email, officeHours: $0.officeHours)
            },
            Section(id: Part.schedule.rawValue, template: "course/schedule", loader: page.schedule) { items in
                items.map {
                    AppointmentModel(
                        title: $0.title,
                        time: "\($0.day.rawValue.capitalized), \($0.starts)–\($0.ends)",
                        room: $0.room
                    )
                }
            },
            TodosSection.section(of: page.todos),
            // This section is always present. If it came and went, the whole page would be redrawn.
            Section(id: "failures", template: "course/failures") { FailureModel(anyFailed: page.anyFailed) },
        ]
    }

    /// Performs the action of an event.
    public func handle(_ event: Event, _ form: EventFields, on page: Model) {
        switch event {
        case .tick: if let todo: Todo.ID = form.value("todo") { page.todos.tick(todo) }
        case .untick: if let todo: Todo.ID = form.value("todo") { page.todos.untick(todo) }
        case .dismiss: if let change = form["change"] { page.todos.dismiss(change: change) }
        case .resend: page.todos.resend()
        case .retry: if let part: Part = form.value("section") { page.retry(part) }
        case .retryAll: page.retryAll()
        }
    }
}
