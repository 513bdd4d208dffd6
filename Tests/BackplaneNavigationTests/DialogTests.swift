import BackplaneConcurrency
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
        layer.uncovered()
        let task = await begin(dialog, in: window)
        await waitUntil { layer.dialog != nil }
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

    private func window() -> TestWindow { TestWindow("root home") }

    @Test(.rule("V10")) func `a question returns the answer of the chosen button`() async throws {
        let window = window()
        let question = await ask(in: window)
        let shown = try #require(window.navigator.base.dialog)
        #expect(shown.title == "Keep the draft?")
        #expect(shown.message == "You can write it later.")
        #expect(shown.buttons.map(\.label) == ["Keep", "Discard", "Back"])
        #expect(shown.buttons.map(\.role) == [.normal, .destructive, .cancel])
        shown.choose(3)
        #expect(window.navigator.base.dialog != nil)
        shown.choose(1)
        #expect(window.navigator.base.dialog == nil)
        shown.choose(0)
        #expect(try await question.value == .discard)
    }

    @Test(.rule("V10"), arguments: [true, false])
    func `if a dialog is hidden and answered in the same turn, the answer counts`(choosesFirst: Bool) async throws {
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
        window.navigator.base.uncovered()
        #expect(window.navigator.base.dialog?.title == "Sure?")
        window.navigator.base.dialog?.choose(0)
        #expect(try await first.value == .keep)
        #expect(try await second.value == 7)
    }

    @Test(.rule("V10")) func `each layer has its own dialog`() async throws {
        let window = TestWindow("root home", hasTransitions: false)
        let below = await ask(in: window)
        window.present("composer")
        let above = await ask(in: window)
        #expect(window.navigator.base.dialog != nil)
        window.navigator.topLayer.dialog?.choose(1)
        #expect(try await above.value == .discard)
        window.navigator.base.dialog?.choose(0)
        #expect(try await below.value == .keep)
    }

    @Test(.rule("V22")) func `a question after a sheet waits until the sheet has disappeared`() async throws {
        let window = TestWindow("root home, present composer, appear")
        let question = await begin(dialog, in: window) { window.play("dismiss composer") }
        let base = window.navigator.base
        #expect(base.dialogs.count == 1)
        #expect(base.dialog == nil)
        base.uncovered()
        #expect(base.dialog != nil)
        base.dialog?.choose(0)
        #expect(try await question.value == .keep)
    }

    @Test(.rule("V22")) func `a question waits for the sheet in which it is asked`() async throws {
        let window = TestWindow("root home, present composer", appeared: false)
        let layer = window.navigator.topLayer
        let question = await begin(dialog, in: window)
        #expect(layer.dialogs.count == 1)
        #expect(layer.dialog == nil)
        window.navigator.base.appeared()
        #expect(layer.dialog == nil)
        layer.appeared()
        #expect(layer.dialog != nil)
        layer.dialog?.choose(0)
        #expect(try await question.value == .keep)
    }

    @Test(.rule("V22"), arguments: [true, false])
    func `a layer is raised when the host reports that the dialog below it has gone`(isReported: Bool) async throws {
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
        #expect(try await first.value == .keep)
        for _ in 0..<20 { await Task.yield() }
        #expect(window.shown == "home", "a framework loses a layer in one update with the end of a dialog")
        if isReported {
            base.uncovered()
        } else {
            await window.clock.sleepers(atLeast: 1)
            window.clock.advance(by: .seconds(3))
        }
        await waitUntil { window.shown == "home / composer" }
        // The next question of the base waits until nothing is above it.
        #expect(base.dialog == nil)
        window.navigator.topLayer.appeared()
        sheet.dismiss()
        base.uncovered()
        #expect(base.dialog?.title == "Sure?")
        base.dialog?.choose(0)
        #expect(try await second.value == 7)
    }

    @Test(.rule("V24")) func `a choice answers with every role`() async throws {
        let window = window()
        let base = window.navigator.base
        for cancel in ["Back", nil] {
            let choices = [Dialog<Int>.Choice("Stay", 1, role: .cancel), .init("Leave", 2, role: .cancel)]
            let question = Task { try await window.navigator.ask(Dialog("Sure?", choices: choices, cancel: cancel)) }
            await waitUntil { base.dialog != nil }
            // UIKit ends the process at a second button with this role.
            let shown = try #require(base.dialog)
            #expect(shown.buttons.last?.role == .cancel)
            #expect(shown.buttons.filter { $0.role == .cancel }.count == 1)
            shown.choose(1)
            #expect(try await question.value == 2)
            base.uncovered()
        }
    }

    @Test(.rule("V24")) func `a dialog without a choice has a button that closes it`() async {
        let window = window()
        let dialog = Dialog<Int>("You are offline.", choices: [], cancel: nil)
        let question = Task { try await window.navigator.ask(dialog) }
        await waitUntil { window.navigator.base.dialog != nil }
        #expect(window.navigator.base.dialog?.buttons.map(\.label) == ["OK"])
        window.navigator.base.dialog?.choose(0)
        await #expect(throws: CancellationError.self) { try await question.value }
    }

    @Test(.rule("V10")) func `when a task is cancelled, its dialog is removed, and the next dialog is shown`() async {
        let window = window()
        let question = await ask(in: window)
        let next = Task { try await window.navigator.ask(Dialog("Sure?", choices: [.init("Yes", 7)])) }
        question.cancel()
        await #expect(throws: CancellationError.self) { try await question.value }
        window.navigator.base.uncovered()
        await waitUntil { window.navigator.base.dialog?.title == "Sure?" }
        next.cancel()
        await #expect(throws: CancellationError.self) { try await next.value }
        #expect(window.navigator.base.dialog == nil)
    }

    @Test(.rule("V10")) func `a cancelled task asks nothing`() async {
        let window = window()
        let question = Task { try await window.navigator.ask(dialog) }
        question.cancel()
        await #expect(throws: CancellationError.self) { try await question.value }
        #expect(window.navigator.base.dialog == nil)
    }

    @Test(.rule("V16")) func `a closed window asks nothing`() async {
        let window = TestWindow("root home, close")
        await #expect(throws: CancellationError.self) { try await window.navigator.ask(dialog) }
    }

    @Test(
        .rule("V10", "V13", "V16"),
        arguments: ["the cancel button", "a hiding", "back home", "dismiss emma", "root login", "uncover", "close"]
    )
    func `a question ends at once, without an answer`(end: String) async {
        let window = TestWindow("root home, push emma")
        let question = await ask(in: window)
        switch end {
        case "the cancel button": window.navigator.base.dialog?.choose(2)
        case "a hiding": window.navigator.base.dialog?.hide()
        default: window.play(end)
        }
        #expect(window.navigator.base.dialog == nil)
        await #expect(throws: CancellationError.self) { try await question.value }
    }

    @Test(.rule("V10"), arguments: ["dismiss composer", "home"])
    func `a question ends with its layer`(end: String) async {
        let window = TestWindow("root home, present composer")
        let question = await ask(in: window)
        window.play(end)
        await #expect(throws: CancellationError.self) { try await question.value }
    }

    @Test(.rule("V10")) func `a question stays while other places come and go`() async throws {
        let window = TestWindow("root home, push emma")
        let question = await ask(in: window)
        window.play("push walden, dismiss walden")
        window.navigator.base.dialog?.choose(0)
        #expect(try await question.value == .keep)
    }

    @Test(.rule("V13"), arguments: [true, false])
    func `uncover keeps the questions of a pinned layer`(isBase: Bool) async throws {
        let window = window()
        if isBase { window.navigator.base.isPinned = true } else { window.play("pin login") }
        let question = await ask(in: window)
        #expect(!window.navigator.uncover())
        window.navigator.topLayer.dialog?.choose(0)
        #expect(try await question.value == .keep)
    }

    @Test(.rule("V19")) func `hiding a dialog twice does not hide the next question`() async throws {
        let window = window()
        let base = window.navigator.base
        let first = await ask(in: window)
        let hidden = try #require(base.dialog)
        let second = Task { try await window.navigator.ask(Dialog("Sure?", choices: [.init("Yes", 7)])) }
        hidden.hide()
        let hasGone = base.uncovered
        hasGone()
        await waitUntil { base.dialog?.title == "Sure?" }
        hidden.hide()
        hidden.choose(0)
        hasGone()
        base[isAsking: hidden.id] = false
        base[isAsking: nil] = false
        #expect(base.dialog != nil)
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

// Without `everyOwnerPath`: the question is asked in the turn in which its place is leaving.
@MainActor @Suite(.timeLimit(.minutes(1))) struct LateQuestionTests {
    @Test(.rule("V10")) func `if its place leaves before it is shown, a question is cancelled`() async {
        let window = TestWindow("root home, push a", hasTransitions: false)
        var asking: Task<Void, Never>?
        var isCancelled: Bool?
        window.push("b") {
            window.play("dismiss a")
            asking = startTask(on: MainActor.shared, immediately: true) {
                do {
                    _ = try await window.navigator.ask(Dialog("Sure?", choices: [.init("Yes", 1)]))
                    isCancelled = false
                } catch {
                    isCancelled = error is CancellationError
                }
            }
        }
        window.play("dismiss b")
        await asking?.value
        #expect(isCancelled == true)
        #expect(window.navigator.base.dialog == nil)
    }
}
