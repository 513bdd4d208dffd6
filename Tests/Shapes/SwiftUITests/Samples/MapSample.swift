// The SwiftUI samples of Documentation/Map.md, with tests.

import BackplaneFeatures
import BackplaneSwiftUI
import Foundation
import SwiftUI
import Testing

enum FourStates {
    struct Course {
        let name: String
    }

    struct CourseContentView: View {
        let course: Course

        var body: some View { Text(course.name) }
    }

    struct RetryView: View {
        let retry: () -> Void

        var body: some View { Button("Retry") { retry() } }
    }

    struct CourseView: View {
        let courseId: String
        @Kept private var loader: Loader<String, Course>

        init(courseId: String, loadCourse: @escaping (String) async throws -> Course) {
            self.courseId = courseId
            _loader = Kept { Loader(loadCourse) }
        }

        var body: some View {
            ZStack {
                switch loader.state {
                case .idle, .deleted: Color.clear
                case .loading(let course?), .loaded(let course), .failed(_, let course?):
                    CourseContentView(course: course)
                case .loading: ProgressView()
                case .failed: RetryView(retry: loader.retry)
                }
            }
            .task(id: courseId) { loader.load(courseId) }
        }
    }
}

/// The sections of a course: two load, and the schedule fails once.
@MainActor private enum Server {
    static var scheduleFailures = 1
}

@MainActor private func loadTutor(of courseId: String) async throws -> String { "Tutor of \(courseId)" }

@MainActor private func loadTodos(of courseId: String) async throws -> String { "To-dos of \(courseId)" }

@MainActor private func loadSchedule(of courseId: String) async throws -> String {
    guard Server.scheduleFailures == 0 else {
        Server.scheduleFailures -= 1
        throw URLError(.timedOut)
    }
    return "Schedule of \(courseId)"
}

enum PartialLoading {
    struct CourseSection: View {
        let courseId: String
        let loader: Loader<String, String>

        var body: some View {
            LoadView(loader.state, retry: loader.retry) { text in Text(text) }
                .task(id: courseId) { loader.load(courseId) }
        }
    }

    typealias TutorSection = CourseSection
    typealias ScheduleSection = CourseSection
    typealias TodoSection = CourseSection

    struct CourseView: View {
        let courseId: String
        @Kept private var tutorLoader = Loader(loadTutor)
        @Kept private var todoLoader = Loader(loadTodos)
        @Kept private var scheduleLoader = Loader(loadSchedule)

        var body: some View {
            VStack {
                TutorSection(courseId: courseId, loader: tutorLoader)
                ScheduleSection(courseId: courseId, loader: scheduleLoader)
                TodoSection(courseId: courseId, loader: todoLoader)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct MapSampleTests {
    @Test func `a course shows each of its states`() async {
        var loads = 0
        let host = ShapeHost {
            FourStates.CourseView(courseId: "abc123") { id in
                loads += 1
                if loads == 1 { throw URLError(.timedOut) }
                return FourStates.Course(name: "Course \(id)")
            }
        }
        #expect(host.texts.isEmpty)
        await host.show(["Retry"])
        host.tap("Retry")
        await host.show(["Course abc123"])
        #expect(loads == 2)
    }

    @Test func `a section that fails leaves the others visible, and is retried alone`() async {
        let host = ShapeHost { PartialLoading.CourseView(courseId: "abc123") }
        await host.show(["Tutor of abc123", "Not loaded", "Try again", "To-dos of abc123"])
        host.tap("Try again")
        await host.show(["Tutor of abc123", "Schedule of abc123", "To-dos of abc123"])
    }
}
