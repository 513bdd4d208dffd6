#if canImport(SwiftUI)
    import BackplaneFeatures
    import CampusModels
    public import CourseModels
    import Foundation
    import ScreensSwiftUI
    public import SwiftUI

    /// One course in SwiftUI.
    public struct CourseView: View {
        private let page: CourseModel

        /// Creates a view of this course.
        public init(_ page: CourseModel) {
            self.page = page
        }

        /// The view of the course.
        public var body: some View {
            Group {
                if page.isMissing { missing } else { sections }
            }
            .navigationTitle(page.course.value?.title ?? "Course")
        }

        private var missing: some View {
            ContentUnavailableView {
                Label("Course not found", systemImage: "questionmark.circle")
            } description: {
                Text("There is no such course, or you have no access to it.")
            }
        }

        private var sections: some View {
            List {
                LoadSection("About this course", page.course.state) { course in
                    Text(course.summary)
                } retry: {
                    page.retry(.course)
                }
                TodoSection(list: page.todos)
                LoadSection("Schedule", page.schedule.state) { items in
                    ForEach(items) { TwoLines($0.title, Text(verbatim: Self.time(of: $0))) }
                    if items.isEmpty { Text("This course has no appointments.").foregroundStyle(.secondary) }
                } retry: {
                    page.retry(.schedule)
                }
                LoadSection("Tutor", page.tutor.state) { tutor in
                    TwoLines(tutor.name, Text(tutor.email))
                    Text(tutor.officeHours)
                } retry: {
                    page.retry(.tutor)
                }
                if page.anyFailed {
                    Section {
                        Text("Not all of this page could be loaded.")
                        Button("Load the rest") { page.retryAll() }
                    }
                }
            }
        }

        private static func time(of item: ScheduleItem) -> String {
            "\(item.day.rawValue.capitalized), \(item.starts)–\(item.ends) · \(item.room)"
        }
    }
#endif
