import BackplaneFeatures
import BackplaneNavigation
import BackplaneTesting
import CampusModels
import ComposerModels
import Screens
import Testing

/// Tests of the composer's model without a host.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ComposerModelTests {
    private final class FakeBoard: ComposerContext {
        /// The answer to the question for recipients; `nil` if the writer does not choose.
        var recipients: [Contact]?
        private(set) var endings: [String] = []
        func chooseRecipients(insteadOf chosen: [Contact]) async throws -> [Contact] {
            guard let recipients else { throw CancellationError() }
            return recipients
        }

        func ask<Answer>(_ dialog: Dialog<Answer>) async throws -> Answer { throw CancellationError() }

        func close(sent message: Message.ID?) {
            endings.append(message.map { "sent \($0)" } ?? "cancelled")
        }
    }

    private static let grace = Contact(id: "grace", name: "Grace Hopper", role: .student)
    private let board = FakeBoard()

    /// Creates a composer whose action `finish` throws `error`, if there is one.
    private func makeComposer(failingWith error: DisplayError? = nil) -> ComposerModel {
        let composer = ComposerModel(
            actions: (
                addRecipient: { context, draft in
                    draft.addressed(to: try await context.chooseRecipients(insteadOf: draft.recipients))
                },
                finish: { context, draft in
                    if let error { throw error }
                    context.close(sent: draft.id)
                },
                cancel: { context, _ in context.close() }
            ),
            performer: ActionPerformer { work in Task { try? await work() } }
        )
        composer.context = board
        return composer
    }

    /// Waits until the running action has ended.
    private func finish(_ composer: ComposerModel) async {
        await waitUntil { !composer.isBusy }
    }

    /// Returns the name of the problem, with the message of its error.
    private func name(of problem: ComposerModel.Problem?) -> String {
        switch problem {
        case nil: "none"
        case .unopenedDraft(let error): "unopened draft: " + DisplayError.message(of: error, else: "")
        case .missingRecipients: "missing recipients"
        case .missingText: "missing text"
        case .failedAction(let error): "failed action: " + DisplayError.message(of: error, else: "")
        }
    }

    @Test func `a message is busy until its draft is open and while it is sent`() async {
        let composer = makeComposer()
        #expect(composer.isBusy)
        await composer.open { Draft(id: "draft", recipients: [Self.grace], text: "Hel") }
        #expect(!composer.isBusy)
        composer.write("Hello")
        composer.send()
        #expect(composer.isBusy)
        #expect(composer.draft == Draft(id: "draft", recipients: [Self.grace], text: "Hello"))
        await finish(composer)
        #expect(!composer.isBusy)
        #expect(board.endings == ["sent draft"])
    }

    @Test func `a message without recipients or text is not sent, and the problem says why`() async {
        let composer = makeComposer()
        await composer.open { Draft() }
        composer.write("Hello")
        composer.send()
        #expect(name(of: composer.problem) == "missing recipients")
        board.recipients = [Self.grace]
        composer.addRecipients()
        #expect(name(of: composer.problem) == "none")
        await finish(composer)
        #expect(composer.draft.recipients == [Self.grace])
        composer.write(" \n")
        composer.send()
        #expect(name(of: composer.problem) == "missing text")
        await finish(composer)
        #expect(board.endings.isEmpty)
    }

    @Test func `text and further actions are ignored while an action runs`() async {
        let composer = makeComposer()
        await composer.open { Draft(recipients: [Self.grace], text: "Hello") }
        composer.cancel()
        composer.write("Hello again")
        composer.send()
        await finish(composer)
        #expect(composer.draft.text == "Hello")
        #expect(board.endings == ["cancelled"])
    }

    @Test func `a choice of recipients without a result leaves the message unchanged`() async {
        let composer = makeComposer()
        await composer.open { Draft(recipients: [Self.grace], text: "Hello") }
        let draft = composer.draft
        composer.addRecipients()
        await finish(composer)
        #expect(composer.draft == draft)
        #expect(name(of: composer.problem) == "none")
        #expect(!composer.isBusy)
    }

    @Test func `a failed action keeps the message with the error until the next action`() async {
        let composer = makeComposer(failingWith: DisplayError("The post is on strike."))
        await composer.open { Draft(recipients: [Self.grace], text: "Hello") }
        composer.send()
        await finish(composer)
        #expect(name(of: composer.problem) == "failed action: The post is on strike.")
        #expect(composer.draft.text == "Hello")
        composer.cancel()
        #expect(name(of: composer.problem) == "none")
        await finish(composer)
        #expect(board.endings == ["cancelled"])
    }

    @Test func `a field that is bound to the text writes the message, except while an action runs`() async {
        let composer = makeComposer()
        await composer.open { Draft(recipients: [Self.grace], text: "Hel") }
        composer.text += "lo"
        #expect(composer.draft.text == "Hello")
        composer.cancel()
        composer.text = "Hello again"
        #expect(composer.text == "Hello")
    }

    @Test func `a draft that loads late does not replace the text written meanwhile`() async {
        let composer = makeComposer()
        composer.write("Written")
        await composer.open { Draft(text: "Kept") }
        #expect(composer.draft.text == "Written")
        #expect(!composer.isBusy)
    }

    @Test func `a problem has a sentence for the user, also if its error has no message`() {
        #expect(ComposerModel.Problem.missingRecipients.message == "Choose at least one recipient.")
        #expect(ComposerModel.Problem.missingText.message == "Write a message.")
        #expect(ComposerModel.Problem.unopenedDraft(DisplayError("Lost.")).message == "Lost.")
        #expect(ComposerModel.Problem.unopenedDraft(CancellationError()).message == "Your draft could not be opened.")
        #expect(ComposerModel.Problem.failedAction(CancellationError()).message == "This did not work. Try again.")
    }

    @Test func `a draft that cannot be opened is a problem, and a message can be written`() async {
        let composer = makeComposer()
        await composer.open { throw DisplayError("The drafts are lost.") }
        #expect(name(of: composer.problem) == "unopened draft: The drafts are lost.")
        #expect(!composer.isBusy)
        composer.write("Hello")
        #expect(composer.draft.text == "Hello")
    }
}
