import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct DialogTests {
    private enum Draft { case keep, discard }

    private let dialog = Dialog<Draft>(
        "Keep the draft?",
        message: "You can write it later.",
        choices: [.init("Keep", .keep), .init("Discard", .discard, role: .destructive)],
        cancel: "Back"
    )

    /// Asks, and returns when the dialog is shown.
    private func ask(in window: TestWindow, at layer: Layer<String>? = nil) async -> Task<Draft, any Error> {
        let task = Task { try await window.navigator.ask(dialog) }
        let layer = layer ?? window.navigator.topLayer
        await waitUntil { layer.isAsking }
        return task
    }

    private func window() -> TestWindow {
        let window = TestWindow()
        window.root("home")
        return window
    }

    @Test(.rule("V10")) func `a question returns the answer of the chosen button`() async throws {
        let window = window()
        let question = await ask(in: window)
        let shown = try #require(window.navigator.base.dialog)
        #expect(shown.title == "Keep the draft?")
        #expect(shown.message == "You can write it later.")
        #expect(shown.buttons.map(\.label) == ["Keep", "Discard", "Back"])
        #expect(shown.buttons.map(\.role) == [.normal, .destructive, .cancel])
        shown.choose(3)
        #expect(window.navigator.base.isAsking)
        shown.choose(1)
        #expect(!window.navigator.base.isAsking)
        shown.choose(0)
        #expect(try await question.value == .discard)
    }

    @Test(.rule("V10")) func `the cancel button throws a cancellation`() async {
        let window = window()
        let question = await ask(in: window)
        window.navigator.base.dialog?.choose(2)
        await #expect(throws: CancellationError.self) { try await question.value }
    }

    @Test(.rule("V10")) func `a hidden dialog throws a cancellation`() async {
        let window = window()
        let question = await ask(in: window)
        window.navigator.base.isAsking = true
        #expect(window.navigator.base.isAsking)
        window.navigator.base.isAsking = false
        #expect(!window.navigator.base.isAsking)
        await #expect(throws: CancellationError.self) { try await question.value }
    }

    @Test(.rule("V10"), arguments: [true, false])
    func `a choice counts more than a hiding in the same turn`(choosesFirst: Bool) async throws {
        let window = window()
        let question = await ask(in: window)
        let shown = try #require(window.navigator.base.dialog)
        if choosesFirst { shown.choose(0) }
        window.navigator.base.isAsking = false
        if !choosesFirst { shown.choose(0) }
        #expect(try await question.value == .keep)
    }

    @Test(.rule("V10")) func `the dialogs of a layer are shown one after the other`() async throws {
        let window = window()
        let first = await ask(in: window)
        let shown = try #require(window.navigator.base.dialog)
        let waiting = AsyncLatch()
        let second = Task {
            waiting.open()
            return try await window.navigator.ask(Dialog("Sure?", choices: [.init("Yes", 7)]))
        }
        await waiting.wait()
        #expect(window.navigator.base.dialog === shown)
        shown.choose(0)
        // The framework hides the first dialog in the turn of the choice.
        #expect(window.navigator.base.dialog == nil)
        window.navigator.base.isAsking = false
        await waitUntil { window.navigator.base.isAsking }
        #expect(window.navigator.base.dialog?.title == "Sure?")
        window.navigator.base.dialog?.choose(0)
        #expect(try await first.value == .keep)
        #expect(try await second.value == 7)
    }

    @Test(.rule("V10")) func `each layer has its own dialog`() async throws {
        let window = window()
        let below = await ask(in: window)
        window.present("composer")
        let above = await ask(in: window)
        #expect(window.navigator.base.isAsking)
        window.navigator.topLayer.dialog?.choose(1)
        #expect(try await above.value == .discard)
        window.navigator.base.dialog?.choose(0)
        #expect(try await below.value == .keep)
    }

    @Test(.rule("V10")) func `a dialog is cancelled when its layer leaves`() async {
        let window = window()
        let sheet = window.present("composer")
        let question = await ask(in: window)
        let layer = window.navigator.topLayer
        window.navigator.dismiss(sheet)
        #expect(!layer.isAsking)
        await #expect(throws: CancellationError.self) { try await question.value }
    }

    @Test(.rule("V10")) func `a cancelled task takes its dialog away, and the next one is shown`() async {
        let window = window()
        let question = await ask(in: window)
        let next = Task { try await window.navigator.ask(Dialog("Sure?", choices: [.init("Yes", 7)])) }
        question.cancel()
        await #expect(throws: CancellationError.self) { try await question.value }
        await waitUntil { window.navigator.base.dialog?.title == "Sure?" }
        next.cancel()
        await #expect(throws: CancellationError.self) { try await next.value }
        #expect(!window.navigator.base.isAsking)
    }

    @Test(.rule("V10", "V16")) func `closing the window cancels its dialogs, and later questions`() async {
        let window = window()
        let question = await ask(in: window)
        window.navigator.close()
        await #expect(throws: CancellationError.self) { try await question.value }
        await #expect(throws: CancellationError.self) { try await window.navigator.ask(dialog) }
    }

    @Test(.rule("V10")) func `a cancelled task asks nothing`() async {
        let window = window()
        let question = Task { try await window.navigator.ask(dialog) }
        question.cancel()
        await #expect(throws: CancellationError.self) { try await question.value }
        #expect(!window.navigator.base.isAsking)
    }

    @Test(.rule("V10"), arguments: ["back", "dismiss", "root"])
    func `a question ends with the place that was on top`(end: String) async {
        let window = window()
        let emma = window.push("emma")
        let question = await ask(in: window)
        switch end {
        case "back": window.navigator.base.stack.path = []
        case "dismiss": window.navigator.dismiss(emma)
        default: window.root("login")
        }
        #expect(!window.navigator.base.isAsking, "at once")
        await #expect(throws: CancellationError.self) { try await question.value }
    }

    @Test(.rule("V10")) func `a question stays while other places come and go`() async throws {
        let window = window()
        window.push("emma")
        let question = await ask(in: window)
        let above = window.push("walden")
        window.navigator.dismiss(above)
        window.navigator.base.dialog?.choose(0)
        #expect(try await question.value == .keep)
    }

    @Test(.rule("V13")) func `uncovering ends the questions of the base, but not those of a pinned layer`() async throws
    {
        let window = window()
        let question = await ask(in: window)
        #expect(window.navigator.uncover())
        #expect(!window.navigator.base.isAsking)
        await #expect(throws: CancellationError.self) { try await question.value }

        for isBase in [true, false] {
            if isBase { window.navigator.base.isPinned = true } else { window.present("login", pinned: true) }
            let other = await ask(in: window)
            #expect(!window.navigator.uncover())
            window.navigator.topLayer.dialog?.choose(0)
            #expect(try await other.value == .keep)
        }
    }
}
