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

@MainActor final class AppWindow: LifetimeOwner {
    let lifetime = Lifetime()
    let navigator = Navigator<AppScreen>.onMain()
    let motherboard = Motherboard.onMain()

    init() {
        motherboard.pair(with: self)
    }
}

enum CourseScreen: BoardContract {
    typealias Input = String
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

/// A board that goes back to a course that is open already.
final class ReturningCourseBoard: Board {
    let slot: Slot<CourseScreen>
    private let navigator: Navigator<AppScreen>

    init(slot: Slot<CourseScreen>, navigator: Navigator<AppScreen>) {
        self.slot = slot
        self.navigator = navigator
    }

    func activate(with id: String) {
        if navigator.back(where: { $0 == .course(id) }) != nil { return complete() }
        pair(with: navigator.push(.course(id)))
    }
}

enum TabsScreen: BoardContract {}

extension ContributionPoint<AppScreen> {
    static var tabs: Self { "tabs" }
}

@MainActor final class TabsBoard: Board {
    let slot: Slot<TabsScreen>
    private let navigator: Navigator<AppScreen>

    init(slot: Slot<TabsScreen>, navigator: Navigator<AppScreen>) {
        self.slot = slot
        self.navigator = navigator
    }

    func activate(with input: Void) {
        navigator.setTabs(slot.inner.contributions(to: .tabs))
    }
}

func showFilters(in navigator: Navigator<AppScreen>) -> Place<AppScreen> {
    navigator.present(.courses, form: .heights([.medium, .large]))
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
    composer.dismiss()
}

/// A text that the user writes.
final class ComposerText {
    var text = "" {
        didSet { onChange(text) }
    }
    var onChange: (String) -> Void = { _ in }
}

func showComposer(of draft: ComposerText, in navigator: Navigator<AppScreen>) -> Place<AppScreen> {
    let composer = navigator.present(.composer)
    let layer = navigator.topLayer
    draft.onChange = { [weak layer] text in layer?.isPinned = !text.isEmpty }
    return composer
}

func askAndOpen(_ link: String, in navigator: Navigator<AppScreen>, on motherboard: Motherboard) async throws {
    guard motherboard.canOpen(link) else { return }
    let layer = navigator.topLayer
    if layer.isPinned, navigator.top?.screen == .composer {
        let choices = [Dialog<Void>.Choice("Discard", (), role: .destructive)]
        try await navigator.ask(Dialog("Discard the text?", choices: choices, cancel: "Keep editing"))
        layer.isPinned = false
    }
    guard navigator.uncover() else { return }
    motherboard.open(link)
}

struct LinkOpener {
    let links = LinkReceiver()
    let navigator: Navigator<AppScreen>
    let motherboard: Motherboard

    func open(_ link: String, by way: String) {
        guard links.accepts(link, by: way), motherboard.canOpen(link), navigator.uncover() else { return }
        motherboard.open(link)
    }
}

@MainActor func text(of navigator: Navigator<AppScreen>) -> String {
    navigator.layers.map { layer in
        let places = layer.stack.places.map { "\($0.screen)" }.joined(separator: " > ")
        guard let dialog = layer.dialog else { return places }
        let buttons = dialog.buttons.map { "\($0.id) \($0.label)" }.joined(separator: ", ")
        return "\(places) [\(dialog.title) \(buttons)]"
    }
    .joined(separator: " / ")
}

@Suite(.timeLimit(.minutes(5))) @MainActor struct NavigationSampleTests {
    private let navigator = Navigator<AppScreen>.onMain(hasTransitions: false)
    private let motherboard = Motherboard.onMain()

    init() {
        motherboard.register { [navigator] slot in CourseScreenBoard(slot: slot, navigator: navigator) }
        motherboard.registerLink("course/{id}", to: CourseScreen.id)
        navigator.setRoot(.courses)
    }

    @MainActor @Test func `a course ends when the user goes back`() {
        let navigator = Navigator<AppScreen>(hasTransitions: false)
        let motherboard = Motherboard()
        motherboard.register { slot in CourseScreenBoard(slot: slot, navigator: navigator) }
        navigator.setRoot(.courses)

        let course = motherboard.activate(CourseScreen.id, with: "abc123")
        #expect(navigator.top?.screen == .course("abc123"))

        navigator.base.stack.path = []
        #expect(course.completion?.isCancelled == true)
    }

    @Test func `the dialog of the sample closes the composer`() async throws {
        let composer = navigator.present(.composer)
        let discarding = Task { try await close(composer, in: navigator) }
        await waitUntil { navigator.topLayer.dialog != nil }
        #expect(text(of: navigator) == "courses / composer [Keep the message? 0 Keep, 1 Discard, 2 Keep editing]")
        navigator.topLayer.dialog?.choose(1)
        try await discarding.value
        #expect(text(of: navigator) == "courses")
    }

    @Test func `the sheet with the filters has two heights`() {
        let filters = showFilters(in: navigator)
        #expect(navigator.top == filters)
        #expect(navigator.topLayer.form == .heights([.medium, .large]))
    }

    @MainActor @Test func `a composer stays when the user keeps editing`() async throws {
        let navigator = Navigator<AppScreen>(hasTransitions: false)
        let composer = navigator.push(.composer)
        let closing = Task { try await close(composer, in: navigator) }
        await waitUntil { navigator.topLayer.dialog != nil }

        let dialog = try #require(navigator.topLayer.dialog)
        let keepEditing = try #require(dialog.buttons.first { $0.label == "Keep editing" })
        dialog.choose(keepEditing.id)
        await #expect(throws: CancellationError.self) { try await closing.value }
        #expect(navigator.top == composer)
    }

    @Test func `each feature has its tab`() {
        motherboard.register { [navigator] slot in TabsBoard(slot: slot, navigator: navigator) }
        motherboard.contribute(to: .tabs, order: 2) { .composer }
        motherboard.contribute(to: .tabs, order: 1) { .courses }
        motherboard.activate(TabsScreen.id)
        #expect(navigator.base.stacks.map(\.root?.screen) == [.courses, .composer])
    }

    @Test func `the link of the sample opens below a sheet and counts once`() {
        navigator.present(.composer)
        let opener = LinkOpener(navigator: navigator, motherboard: motherboard)
        opener.open("/course/abc123", by: "scene")
        opener.open("/course/abc123", by: "delegate")
        #expect(navigator.layers.count == 1)
        #expect(navigator.places.map(\.screen) == [.courses, .course("abc123")])

        navigator.present(.composer)
        opener.open("/nowhere", by: "scene")
        #expect(navigator.layers.count == 2, "a link that leads nowhere closes nothing")
    }

    @Test func `a link is refused while a text is not saved`() {
        let draft = ComposerText()
        let composer = showComposer(of: draft, in: navigator)
        draft.text = "Hi"
        #expect(!navigator.uncover())
        #expect(navigator.top == composer)
        draft.text = ""
        #expect(navigator.uncover())
        #expect(navigator.top?.screen == .courses)
    }

    @Test func `a link discards a text only after a question`() async throws {
        navigator.present(.composer, pinned: true)
        let refused = Task { try await askAndOpen("/course/abc123", in: navigator, on: motherboard) }
        await waitUntil { navigator.topLayer.dialog != nil }
        navigator.topLayer.dialog?.hide()
        await #expect(throws: CancellationError.self) { try await refused.value }
        #expect(navigator.layers.count == 2)

        let opened = Task { try await askAndOpen("/course/abc123", in: navigator, on: motherboard) }
        await waitUntil { navigator.topLayer.dialog != nil }
        navigator.topLayer.dialog?.choose(0)
        try await opened.value
        #expect(navigator.places.map(\.screen) == [.courses, .course("abc123")])
    }

    @Test func `a course that is open already is not pushed again`() {
        motherboard.register(reuse: .perActivation, replacing: true) { [navigator] slot in
            ReturningCourseBoard(slot: slot, navigator: navigator)
        }
        for id in ["abc123", "def456", "abc123"] { motherboard.activate(CourseScreen.id, with: id) }
        #expect(navigator.places.map(\.screen) == [.courses, .course("abc123")])
        #expect(motherboard.liveCount(of: CourseScreen.id) == 1)
    }
}
