import BackplaneFeatures
import CampusModels
public import CourseModels
import DashboardInterface
import Foundation
import Screens
public import WebHost

/// One course in a browser.
public struct CourseWebFace: WebFace {
    private typealias Part = CourseModel.Part

    struct Missing: Sendable {
        let courses: String
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
    public func title(of page: CourseModel) -> String {
        page.isMissing ? "Course not found" : page.course.value?.title ?? "Course"
    }

    /// The way back, a section for each part of the course, and one that reloads all failed parts.
    public func sections(of page: CourseModel) -> [Section] {
        // A section without a course is not worth a retry.
        if page.isMissing {
            return [Section(id: "missing", template: "course/missing") { Missing(courses: Dashboard.path) }]
        }
        return [
            .breadcrumb(BarEntry("Dashboard", path: Dashboard.path)) { title(of: page) },
            Section(id: Part.course.rawValue, template: "course/summary", loader: page.course) { $0 },
            Section(id: Part.tutor.rawValue, template: "course/tutor", loader: page.tutor) { $0 },
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
}
