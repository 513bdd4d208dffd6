import BackplaneTesting
import TestSupport
import Testing

@testable import BackplaneNavigation

@MainActor @Suite(.timeLimit(.minutes(5)), .everyOwnerPath) struct DialogTests {
    private enum Draft { case keep, discard }

    private let dialog = Dialog<Draft>(
        "Keep the draft?",
        message: "You can write it later.",
        choices: [.init("Keep", .keep), .init("Discard", .discard, role: .destructive)],
        cancel: "Back"
    )

    /// Asks, and returns when the dialog is shown.
    private func ask(in window: TestWindow) async -> Task<Draft, any Error> {
        let layer = window.navigator.topLayer
        layer.appeared()
        let task = await begin(dialog, in: window)
        await waitUntil { layer.isAsking }
        return task
    }

    /// Asks, and returns when the dialog is shown or waits, after a change in the turn of asking.
    private func begin<Answer: Sendable>(
        _ dialog: Dialog<Answer>,
        in window: TestWindow,
        after change: @escaping () -> Void = {}
    ) async -> Task<Answer, any Error> {
        let hasBegun = AsyncLatch()
        let task = Task {
            change()
            hasBegun.open()
            return try await window.navigator.ask(dialog)
        }
        await hasBegun.wait()
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
        window.navigator.base.dialog?.hide()
        #expect(!window.navigator.base.isAsking)
        await #expect(throws: CancellationError.self) { try await question.value }
    }

    @Test(.rule("V10"), arguments: [true, false])
    func `a choice counts more than a hiding in the same turn`(choosesFirst: Bool) async throws {
        let window = window()
        let question = await ask(in: window)
        let shown = try #require(window.navigator.base.dialog)
        if choosesFirst { shown.choose(0) }
        shown.hide()
        if !choosesFirst { shown.choose(0) }
        #expect(try await question.value == .keep)
    }

    @Test(.rule("V10")) func `the dialogs of a layer are shown one after the other`() async throws {
        let window = window()
        let first = await ask(in: window)
        let shown = try #require(window.navigator.base.dialog)
        let second = await begin(Dialog("Sure?", choices: [.init("Yes", 7)]), in: window)
        #expect(window.navigator.base.dialog === shown)
        shown.choose(0)
        // The framework hides the first dialog in the turn of the choice.
        #expect(window.navigator.base.dialog == nil)
        shown.hide()
        await waitUntil { window.navigator.base.isAsking }
        #expect(window.navigator.base.dialog?.title == "Sure?")
        window.navigator.base.dialog?.choose(0)
        #expect(try await first.value == .keep)
        #expect(try await second.value == 7)
    }

    @Test(.rule("V10")) func `each layer has its own dialog`() async throws {
        let window = TestWindow(pace: .immediate)
        window.root("home")
        let below = await ask(in: window)
        window.present("composer")
        let above = await ask(in: window)
        #expect(window.navigator.base.isAsking)
        window.navigator.topLayer.dialog?.choose(1)
        #expect(try await above.value == .discard)
        window.navigator.base.dialog?.choose(0)
        #expect(try await below.value == .keep)
    }

    @Test(.rule("V22")) func `a question after the end of a sheet waits until the sheet has gone`() async throws {
        let window = window()
        let sheet = window.present("composer")
        window.navigator.topLayer.appeared()
        let question = await begin(dialog, in: window) { window.navigator.dismiss(sheet) }
        let base = window.navigator.base
        #expect(base.dialogs.count == 1)
        #expect(!base.isAsking)
        base.uncovered()
        #expect(base.isAsking)
        base.dialog?.choose(0)
        #expect(try await question.value == .keep)
    }

    @Test(.rule("V22")) func `a question waits for the sheet in which it is asked`() async throws {
        let window = TestWindow(appeared: false)
        window.root("home")
        window.present("composer")
        let layer = window.navigator.topLayer
        let question = await begin(dialog, in: window)
        #expect(layer.dialogs.count == 1)
        #expect(!layer.isAsking)
        window.navigator.base.appeared()
        #expect(!layer.isAsking)
        layer.appeared()
        #expect(layer.isAsking)
        layer.dialog?.choose(0)
        #expect(try await question.value == .keep)
    }

    @Test(.rule("V22")) func `a layer is raised one turn after the dialog below it has left`() async throws {
        let window = window()
        let base = window.navigator.base
        let first = await ask(in: window)
        let shown = try #require(base.dialog)
        let second = await begin(Dialog("Sure?", choices: [.init("Yes", 7)]), in: window)
        #expect(base.dialogs.count == 2)
        let sheet = window.present("composer")
        #expect(window.layers == "home / composer")
        #expect(window.shown == "home")
        #expect(base.dialog === shown)
        shown.choose(0)
        // Any report lets the steps go on.
        base.appeared()
        #expect(window.shown == "home", "a framework loses a layer in one update with the end of a dialog")
        #expect(try await first.value == .keep)
        await waitUntil { window.shown == "home / composer" }
        // The next question of the base waits until nothing is above it.
        #expect(!base.isAsking)
        window.navigator.topLayer.appeared()
        window.navigator.dismiss(sheet)
        base.uncovered()
        #expect(base.dialog?.title == "Sure?")
        base.dialog?.choose(0)
        #expect(try await second.value == 7)
    }

    @Test(.rule("V24")) func `a choice answers whatever its role is`() async throws {
        let window = window()
        let base = window.navigator.base
        for cancel in ["Back", nil] {
            let choices = [Dialog<Int>.Choice("Stay", 1, role: .cancel), .init("Leave", 2, role: .cancel)]
            let question = Task { try await window.navigator.ask(Dialog("Sure?", choices: choices, cancel: cancel)) }
            await waitUntil { base.isAsking }
            // UIKit ends the process at a second button with this role.
            let shown = try #require(base.dialog)
            #expect(shown.buttons.last?.role == .cancel)
            #expect(shown.buttons.filter { $0.role == .cancel }.count == 1)
            shown.choose(1)
            #expect(try await question.value == 2)
        }
    }

    @Test(.rule("V24")) func `a dialog without a choice has a way out`() async {
        let window = window()
        let dialog = Dialog<Int>("You are offline.", choices: [], cancel: nil)
        let question = Task { try await window.navigator.ask(dialog) }
        await waitUntil { window.navigator.base.isAsking }
        #expect(window.navigator.base.dialog?.buttons.map(\.label) == ["OK"])
        window.navigator.base.dialog?.choose(0)
        await #expect(throws: CancellationError.self) { try await question.value }
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

    @Test(.rule("V19")) func `hiding a dialog twice does not hide the next question`() async throws {
        let window = window()
        let base = window.navigator.base
        let first = await ask(in: window)
        let hidden = try #require(base.dialog)
        let second = Task { try await window.navigator.ask(Dialog("Sure?", choices: [.init("Yes", 7)])) }
        hidden.hide()
        await waitUntil { base.dialog?.title == "Sure?" }
        hidden.hide()
        hidden.choose(0)
        base[isAsking: hidden.id] = false
        base[isAsking: nil] = false
        #expect(base.isAsking)
        await #expect(throws: CancellationError.self) { try await first.value }
        base.dialog?.choose(0)
        #expect(try await second.value == 7)
    }

    @Test(.rule("V19")) func `a binding hides the dialog that it names`() async {
        let window = window()
        let question = await ask(in: window)
        let base = window.navigator.base
        let shown = base.dialog?.id
        base[isAsking: shown] = true
        #expect(base[isAsking: shown])
        base[isAsking: shown] = false
        #expect(!base[isAsking: shown])
        await #expect(throws: CancellationError.self) { try await question.value }
    }
}
