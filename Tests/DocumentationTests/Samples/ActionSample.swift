import BackplaneFeatures
import Testing

private struct Letter: Equatable {
    var recipients: [String] = []

    func addressed(to recipient: String) -> Letter {
        Letter(recipients: recipients + [recipient])
    }
}

private struct AddressBook {
    var answer: String?

    func choose() async throws -> String {
        guard let answer else { throw CancellationError() }
        return answer
    }
}

@MainActor private final class Post {
    private(set) var sent: [Letter] = []

    func send(_ letter: Letter) async throws {
        sent.append(letter)
    }
}

private enum Letters {
    @MainActor final class LetterScreen {
        typealias Actions = (
            addRecipient: Action<LetterScreen, Letter, Letter>.Async,
            finish: Action<LetterScreen, Letter, Void>.Async,
            cancel: Action<LetterScreen, Letter, Void>.Sync
        )

        private(set) var letter = Letter()
        private(set) var problem: String?
        private(set) var isClosed = false
        private let actions: Actions

        init(actions: Actions) {
            self.actions = actions
        }

        func addRecipientPressed() async throws {
            letter = try await actions.addRecipient(self, letter)
        }

        func finishPressed() async {
            do {
                try await actions.finish(self, letter)
            } catch is CancellationError {
                // The person has changed their mind: all stays as it is.
            } catch {
                problem = "The letter was not sent."
            }
        }

        func cancelPressed() {
            actions.cancel(self, letter)
        }

        func close() {
            isClosed = true
        }
    }
}

extension Letters {
    @MainActor @Test static func `an assembly fills the actions with what is at hand`() async throws {
        let addressBook = AddressBook(answer: "Ada")
        let post = Post()
        let screen = LetterScreen(
            actions: (
                addRecipient: { _, letter in letter.addressed(to: try await addressBook.choose()) },
                finish: { screen, letter in
                    try await post.send(letter)
                    screen.close()
                },
                cancel: { screen, _ in screen.close() }
            )
        )
        try await screen.addRecipientPressed()
        await screen.finishPressed()
        #expect(post.sent == [Letter(recipients: ["Ada"])])
        #expect(screen.isClosed)
    }

    @MainActor @Test static func `another cancel keeps drafts, and an observed one is seen`() {
        var drafts: [Letter] = []
        var journal: [String] = []
        let cancel: Action<LetterScreen, Letter, Void>.Sync = { screen, letter in
            drafts.append(letter)
            screen.close()
        }
        let observed = Action.observed(cancel) { event in
            if case .started = event { journal.append("cancel") }
        }
        let screen = LetterScreen(actions: ({ _, letter in letter }, { _, _ in }, observed))
        screen.cancelPressed()
        #expect(drafts == [Letter()])
        #expect(screen.isClosed)
        #expect(journal == ["cancel"])
    }

    @MainActor @Test static func `a test passes actions that take notes`() async throws {
        var performed: [String] = []
        let screen = LetterScreen(
            actions: (
                addRecipient: { _, letter in
                    performed.append("addRecipient")
                    return letter
                },
                finish: { _, _ in performed.append("finish") },
                cancel: { _, _ in performed.append("cancel") }
            )
        )
        try await screen.addRecipientPressed()
        await screen.finishPressed()
        screen.cancelPressed()
        #expect(performed == ["addRecipient", "finish", "cancel"])
    }
}
