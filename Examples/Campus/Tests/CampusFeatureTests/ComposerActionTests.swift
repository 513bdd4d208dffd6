import Backplane
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import CampusTestTools
import ComposerFeature
import ComposerInterface
import ComposerModels
import ComposerWeb
import Screens
import Testing
import WebHost

/// Tests of the composer's screen with actions that record their calls.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ComposerActionTests {
    /// The behavior of the actions, and a record of their calls.
    @MainActor private final class Spy {
        var performed: [String] = []
        var drafts: [Draft] = []
        var latch: AsyncLatch?
        var error: (any Error)?

        func perform(_ action: String, _ draft: Draft) async throws {
            performed.append(action)
            drafts.append(draft)
            await latch?.wait()
            if let error { throw error }
        }
    }

    private static let grace = Contact(id: "grace", name: "Grace Hopper", role: .student)
    private let spy = Spy()
    private let motherboard = Motherboard.onMain()
    private let navigator = ScreenNavigator.onMain(hasTransitions: false)

    private func open(with draft: @escaping () async throws -> Draft = { Draft() }) {
        let spy = spy
        let actions: ComposerModel.Actions = (
            addRecipient: { _, draft in
                try await spy.perform("addRecipient", draft)
                return draft.addressed(to: [Self.grace])
            },
            finish: { composer, draft in
                try await spy.perform("finish", draft)
                composer.close(sent: "1")
            },
            cancel: { composer, draft in
                try await spy.perform("cancel", draft)
                composer.close()
            }
        )
        motherboard.install(
            ComposerModule(navigator: navigator, loadContacts: { [] }, loadDraft: draft, actions: actions)
        )
        motherboard.activate(Composer.id, with: "")
    }

    private var message: String { navigator.top?.screen.sections.last.map { "\($0.model())" } ?? "" }

    private func press(_ event: String, text: String? = nil) {
        let fields = text.map { ["text": $0] } ?? [:]
        navigator.top?.screen.handle(ScreenEvent(name: event, fields: fields))
    }

    private func settle() async {
        while navigator.top?.screen.isBusy ?? false, !Task.isCancelled { await Task.yield() }
    }

    @Test(.rule("M17"), arguments: [("add-recipients", "addRecipient"), ("send", "finish"), ("cancel", "cancel")])
    func `a button performs its action once with the current draft`(button: String, action: String) async {
        open { Draft(id: "draft", recipients: [Self.grace], text: "Half a") }
        await settle()
        press(button, text: "Half a thought")
        await settle()
        #expect(spy.performed == [action])
        #expect(spy.drafts == [Draft(id: "draft", recipients: [Self.grace], text: "Half a thought")])
    }

    @Test(.rule("M17")) func `the template has only the three buttons`() throws {
        let template = try #require(ComposerWebFace().templates["composer"]).source
        let buttons = template.matches(of: #/<button[^>]* value="([^"]*)"/#).map { String($0.1) }
        #expect(buttons.sorted() == ["add-recipients", "cancel", "send"])
    }

    @Test func `an action decides whether the composer closes and which output it sends`() async {
        var outputs: [Composer.Output] = []
        motherboard.registerFlow(from: Composer.id) { output, _ in outputs.append(output) }
        open { Draft(recipients: [Self.grace], text: "Hello") }
        await settle()
        press("add-recipients")
        await settle()
        #expect(navigator.places.count == 1)
        press("send")
        await settle()
        #expect(navigator.places.isEmpty)
        motherboard.activate(Composer.id, with: "")
        await settle()
        press("cancel")
        await settle()
        #expect(outputs == [.sent("1"), .cancelled])
    }

    @Test func `the screen shows the draft that an action returns`() async {
        open()
        press("add-recipients", text: "Hello")
        await settle()
        #expect(message.contains("Grace Hopper"))
        #expect(message.contains("Hello"))
    }

    @Test(arguments: ["add-recipients", "send", "cancel"])
    func `a cancelled action leaves the screen unchanged`(button: String) async {
        open { Draft(recipients: [Self.grace], text: "Hello") }
        await settle()
        let before = message
        spy.error = CancellationError()
        press(button)
        await settle()
        #expect(spy.performed.count == 1)
        #expect(message == before)
    }

    @Test func `a failed action shows the reason and can be performed again`() async {
        open { Draft(recipients: [Self.grace], text: "Hello") }
        await settle()
        spy.error = DisplayError("The post is on strike.")
        press("send")
        await settle()
        #expect(message.contains("The post is on strike."))
        #expect(message.contains("Hello"))
        spy.error = nil
        press("send")
        await settle()
        #expect(navigator.places.isEmpty)
    }

    @Test func `a second action is ignored while an action runs`() async {
        let latch = AsyncLatch()
        spy.latch = latch
        open()
        press("add-recipients", text: "Hello")
        press("cancel")
        #expect(navigator.top?.screen.isBusy == true)
        latch.open()
        await settle()
        #expect(spy.performed == ["addRecipient"])
    }

    @Test func `a draft that loads late does not replace the text written meanwhile`() async {
        let latch = AsyncLatch()
        open {
            await latch.wait()
            return Draft(text: "Kept")
        }
        #expect(navigator.top?.screen.isBusy == true)
        press("send", text: "Written")
        latch.open()
        await settle()
        #expect(message.contains("Written"))
    }

    @Test func `a draft that fails to load shows the reason, and a message can be written`() async {
        open { throw DisplayError("The drafts are lost.") }
        await settle()
        #expect(message.contains("The drafts are lost."))
        press("add-recipients", text: "Hello")
        await settle()
        #expect(!message.contains("The drafts are lost."))
        press("send")
        await settle()
        #expect(spy.performed == ["addRecipient", "finish"])
    }

    @Test(.rule("M12")) func `a refused message stays with the reason in a composer without actions`() async {
        var isMailBroken = true
        var sent: [NewMessage] = []
        motherboard.install(
            ComposerModule(
                navigator: navigator,
                loadContacts: { [Self.grace] },
                sendMessage: { message in
                    if isMailBroken { throw DisplayError("The post is on strike.") }
                    sent.append(message)
                    return "1"
                }
            )
        )
        motherboard.activate(Composer.id, with: "")
        press("add-recipients", text: "Hello")
        while navigator.places.count == 1 || navigator.top?.screen.isBusy == true, !Task.isCancelled {
            await Task.yield()
        }
        navigator.top?.screen.handle(ScreenEvent(name: "choose", fields: ["contact-grace": "on"]))
        await settle()
        press("send")
        await settle()
        #expect(message.contains("The post is on strike."))
        isMailBroken = false
        press("send")
        await settle()
        #expect(sent == [NewMessage(recipients: ["grace"], text: "Hello")])
        #expect(navigator.places.isEmpty)
    }

    @Test(.rule("M12")) func `a composer without actions cancels a message without a question`() async {
        motherboard.install(ComposerModule(navigator: navigator, loadContacts: { [] }, sendMessage: { _ in "1" }))
        motherboard.activate(Composer.id, with: "")
        press("cancel", text: "Hello")
        await settle()
        #expect(navigator.places.isEmpty)
    }
}
