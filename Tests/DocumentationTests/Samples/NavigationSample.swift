// The samples of Sources/BackplaneNavigation/BackplaneNavigation.docc/Navigation.md, with tests.

import Backplane
import BackplaneNavigation
import BackplaneTesting
import Testing

enum AppScreen: Hashable {
    case courses
    case course(String)
    case composer
}

enum CourseScreen: BoardContract {
    typealias Input = String
}

extension BoardID<CourseScreen> {
    static var courseScreen: Self { "course" }
}

final class CourseScreenBoard: Board {
    let slot: Slot<CourseScreen>
    private let navigator: Navigator<AppScreen>

    init(slot: Slot<CourseScreen>, navigator: Navigator<AppScreen>) {
        self.slot = slot
        self.navigator = navigator
    }

    func activate(with id: String) {
        pair(with: navigator.push(.course(id)))
    }
}

enum DraftAnswer { case keep, discard }

func close(_ composer: Place<AppScreen>, in navigator: Navigator<AppScreen>) async throws {
    let dialog = Dialog<DraftAnswer>(
        "Keep the message?",
        message: "You can continue to write it later.",
        choices: [.init("Keep", .keep), .init("Discard", .discard, role: .destructive)],
        cancel: "Keep editing"
    )
    switch try await navigator.ask(dialog) {
    case .keep: print("The app keeps the message.")
    case .discard: print("The app forgets the message.")
    }
    navigator.dismiss(composer)
}

struct LinkOpener {
    let links = LinkReceiver()
    let navigator: Navigator<AppScreen>
    let motherboard: Motherboard

    func open(_ link: String, by way: String) {
        guard links.accepts(link, by: way) else { return }
        navigator.uncover()
        motherboard.open(link)
    }
}

@MainActor func text(of navigator: Navigator<AppScreen>) -> String {
    navigator.layers.map { layer in
        let places = layer.stack.places.map { "\($0.screen)" }.joined(separator: " > ")
        return layer.dialog.map { "\(places) [\($0.title)]" } ?? places
    }
    .joined(separator: " / ")
}

@Suite(.timeLimit(.minutes(5))) struct NavigationSampleTests {
    @MainActor @Test func `a course ends when the user goes back`() {
        let navigator = Navigator<AppScreen>(pace: .immediate)
        let motherboard = Motherboard()
        motherboard.register(.courseScreen) { slot in CourseScreenBoard(slot: slot, navigator: navigator) }
        navigator.setRoot(.courses)

        let course = motherboard.activate(.courseScreen, with: "abc123")
        #expect(navigator.top?.screen == .course("abc123"))

        navigator.base.stack.path = []
        #expect(course.completion?.isCancelled == true)
    }

    @MainActor @Test func `the dialog of the sample keeps or closes the composer`() async throws {
        let navigator = Navigator<AppScreen>(pace: .immediate)
        navigator.setRoot(.courses)
        let composer = navigator.present(.composer)
        #expect(text(of: navigator) == "courses / composer")
        let closing = Task { try await close(composer, in: navigator) }
        while navigator.topLayer.dialog == nil { await Task.yield() }
        #expect(text(of: navigator) == "courses / composer [Keep the message?]")
        navigator.topLayer.dialog?.choose(2)
        await #expect(throws: CancellationError.self) { try await closing.value }
        #expect(composer.departure == nil)

        let discarding = Task { try await close(composer, in: navigator) }
        while navigator.topLayer.dialog == nil { await Task.yield() }
        navigator.topLayer.dialog?.choose(1)
        try await discarding.value
        #expect(text(of: navigator) == "courses")
    }

    @MainActor @Test func `the link of the sample opens below a sheet and counts once`() {
        let navigator = Navigator<AppScreen>(pace: .immediate)
        let motherboard = Motherboard()
        motherboard.register(.courseScreen) { slot in CourseScreenBoard(slot: slot, navigator: navigator) }
        motherboard.registerLink("course/{id}", to: .courseScreen)
        navigator.setRoot(.courses)
        navigator.present(.composer)
        let opener = LinkOpener(navigator: navigator, motherboard: motherboard)
        opener.open("/course/abc123", by: "scene")
        opener.open("/course/abc123", by: "delegate")
        #expect(navigator.layers.count == 1)
        #expect(navigator.places.map(\.screen) == [.courses, .course("abc123")])
    }
}
