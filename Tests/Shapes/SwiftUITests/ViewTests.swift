import Backplane
import BackplaneFeatures
import BackplaneNavigation
import BackplaneSwiftUI
import BackplaneTesting
import Foundation
import Observation
import SwiftUI
import Testing

private struct Failure: Error {}

/// The view of the source "Self-sufficient features": it receives an ID and a closure.
struct CourseView: View {
    let courseId: String
    @Kept private var loader: Loader<String, String>

    init(courseId: String, loadCourse: @escaping (String) async throws -> String) {
        self.courseId = courseId
        _loader = Kept { Loader(loadCourse) }
    }

    var body: some View {
        LoadView(loader.state, retry: loader.retry) { course in Text(course) }
            .task(id: courseId) { loader.load(courseId) }
    }
}

enum CourseScreen: Hashable {
    case courses
    case course(String)
}

@MainActor final class CourseWindow {
    let navigator = Navigator<CourseScreen>.onMain(clock: ManualClock())
    let motherboard = Motherboard.onMain()
    let links = LinkReceiver()

    func loadCourse(_ id: String) async throws -> String { "course \(id)" }
}

struct WindowView: View {
    let window: CourseWindow

    var body: some View {
        NavigatorView(window.navigator) { screen in
            switch screen {
            case .courses: Text("Courses")
            case .course(let id): CourseView(courseId: id, loadCourse: window.loadCourse)
            }
        }
        .environment(\.motherboard, window.motherboard)
        .onLinks(window.links) { url in
            guard window.motherboard.canOpen(url), window.navigator.uncover() else { return }
            window.motherboard.open(url)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct WindowViewTests {
    @Test func `the window of the sample shows a course, which loads itself`() async {
        let window = CourseWindow()
        let host = ShapeHost { WindowView(window: window) }
        window.navigator.setRoot(.courses)
        host.update()
        #expect(host.texts == ["Courses"])
        window.navigator.push(.course("a"))
        await update(host) { $0.texts == ["course a"] }
        host.goBack()
        #expect(host.texts == ["Courses"])
        #expect(host.problems.isEmpty)
    }
}

/// Gives the main actor turns until a condition holds, and fails if it never does.
@MainActor func yield(until isDone: () -> Bool) async {
    for _ in 0..<100_000 {
        if isDone() { return }
        await Task.yield()
    }
    Issue.record("The condition does not hold.")
}

@MainActor func update(_ host: ShapeHost, until isDone: (ShapeHost) -> Bool) async {
    await yield {
        host.update()
        return isDone(host)
    }
}

@Observable @MainActor private final class Parent {
    var courseId = "a"
    var loads: [String] = []
    var made = 0
}

private struct ParentView: View {
    let parent: Parent

    var body: some View {
        CourseView(courseId: parent.courseId) { id in
            parent.loads.append(id)
            return "course \(id)"
        }
    }
}

@MainActor private final class Object {
    static var made = 0
    init() { Self.made += 1 }
}

private struct KeepingView: View {
    let name: String
    @Kept private var object: Object

    init(name: String) {
        self.name = name
        _object = Kept { Object() }
    }

    var body: some View {
        _ = object
        return Text(name)
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct KeptTests {
    @Test func `if a view is created again at each update, it keeps its loader`() async {
        let parent = Parent()
        let host = ShapeHost { ParentView(parent: parent) }
        await update(host) { $0.texts == ["course a"] }
        for _ in 0..<3 { host.update() }
        #expect(parent.loads == ["a"])
        parent.courseId = "b"
        host.update()
        await update(host) { $0.texts == ["course b"] }
        #expect(parent.loads == ["a", "b"])
    }

    @Test func `an object is made once for each identity of a view`() {
        let before = Object.made
        let parent = Parent()
        let host = ShapeHost { IdentityView(parent: parent) }
        host.update()
        #expect(Object.made == before + 1)
        parent.courseId = "b"
        host.update()
        #expect(Object.made == before + 2)
    }

    @Test func `an initial value is evaluated once`() {
        let host = ShapeHost { CountingView() }
        host.update()
        host.update()
        #expect(host.texts == ["1"])
    }
}

private struct IdentityView: View {
    let parent: Parent
    var body: some View { KeepingView(name: parent.courseId).id(parent.courseId) }
}

@MainActor private final class Counter {
    static var made = 0
    init() { Self.made += 1 }
}

private struct CountingView: View {
    @Kept private var counter = Counter()

    var body: some View {
        _ = counter
        return Text(verbatim: "\(Counter.made)")
    }
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct ActionButtonTests {
    private final class Run {
        var starts = 0
        var errors: [any Error] = []
        var gate: CheckedContinuation<Void, any Error>?
    }

    private func host(_ run: Run) -> ShapeHost {
        ShapeHost {
            ActionButton("Send") {
                run.starts += 1
                try await withCheckedThrowingContinuation { run.gate = $0 }
            } onError: { error in
                run.errors.append(error)
            }
        }
    }

    @Test(arguments: [Result<Void, any Error>.success(()), .failure(CancellationError()), .failure(Failure())])
    func `a button performs one action at a time`(result: Result<Void, any Error>) async {
        let run = Run()
        let host = host(run)
        #expect(host.tap("Send", updates: false))
        host.tap("Send")
        #expect(host.isEnabled("Send") == false)
        await yield { run.gate != nil }
        run.gate?.resume(with: result)
        await update(host) { $0.isEnabled("Send") == true }
        #expect(run.starts == 1)
        let isFailure = if case .failure(let error) = result { error is Failure } else { false }
        #expect(run.errors.count == (isFailure ? 1 : 0))
        #expect(host.tap("Send"))
        await yield { run.starts == 2 }
        run.gate?.resume()
    }
}

@Suite @MainActor struct LinksTests {
    @Test func `a link in two ways within a second counts once`() throws {
        var opened: [String] = []
        let clock = ManualClock()
        let receiver = LinkReceiver(clock: clock)
        let host = ShapeHost { Text("home").onLinks(receiver) { opened.append($0.absoluteString) } }
        let url = try #require(URL(string: "https://campus.example/course/abc123"))
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        activity.webpageURL = url
        host.open(url)
        host.continue(activity)
        #expect(opened == [url.absoluteString])
        clock.advance(by: .seconds(2))
        host.continue(activity)
        #expect(opened.count == 2)
    }

    @Test func `a link in the same way counts again, and other activities are ignored`() throws {
        var opened = 0
        let links = LinkReceiver(clock: ManualClock())
        let host = ShapeHost { Text("home").onLinks(links) { _ in opened += 1 } }
        let url = try #require(URL(string: "campus://course/abc123"))
        host.open(url)
        host.update()
        host.open(url)
        #expect(opened == 2)
        let activity = NSUserActivity(activityType: "handoff")
        activity.webpageURL = url
        host.continue(activity)
        #expect(opened == 2)
    }
}

private struct MotherboardView: View {
    @Environment(\.motherboard) private var motherboard

    var body: some View { Text(verbatim: motherboard == nil ? "none" : "set") }
}

@Suite @MainActor struct MotherboardEnvironmentTests {
    @Test func `the motherboard is in the environment of the views below`() {
        let motherboard = Motherboard()
        let host = ShapeHost {
            MotherboardView()
            MotherboardView().environment(\.motherboard, motherboard)
        }
        #expect(host.texts == ["none", "set"])
    }
}
