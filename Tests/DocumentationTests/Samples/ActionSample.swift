import BackplaneFeatures
import TestSupport
import Testing

private struct Note: Equatable {
    var recipients: [String] = []

    func addressed(to recipient: String) -> Note {
        Note(recipients: recipients + [recipient])
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
    private(set) var sent: [Note] = []

    func send(_ note: Note) async throws {
        sent.append(note)
    }
}

private enum Notes {
    @MainActor final class NoteSender {
        let performer = ActionPerformer()
        private let send: (Note) async throws -> Void

        init(send: @escaping (Note) async throws -> Void) {
            self.send = send
        }

        func sendPressed(_ note: Note) {
            performer.perform { try await self.send(note) }
        }
    }

    @MainActor final class SketchScreen {
        @MainActor struct Actions {
            var finish: Action<SketchScreen, String, Void>.Async
            var cancel: Action<SketchScreen, String, Void>.Sync = { screen, _ in screen.close() }
            var confirmDiscard: Action<SketchScreen, String, Bool>.Async = { _, _ in true }
        }

        private(set) var text = ""
        private(set) var isClosed = false
        private let actions: Actions

        init(actions: Actions) {
            self.actions = actions
        }

        func write(_ text: String) {
            self.text = text
        }

        func discardPressed() async throws {
            if try await actions.confirmDiscard(self, text) {
                write("")
                actions.cancel(self, text)
            } else {
                try await actions.finish(self, text)
            }
        }

        func close() {
            isClosed = true
        }
    }

    @MainActor final class NoteScreen {
        typealias Actions = (
            addRecipient: Action<NoteScreen, Note, Note>.Async,
            finish: Action<NoteScreen, Note, Void>.Async,
            cancel: Action<NoteScreen, Note, Void>.Sync
        )

        private(set) var note = Note()
        private(set) var problem: String?
        private(set) var isClosed = false
        private let actions: Actions

        init(actions: Actions) {
            self.actions = actions
        }

        func addRecipientPressed() async throws {
            note = try await actions.addRecipient(self, note)
        }

        func finishPressed() async {
            do {
                try await actions.finish(self, note)
            } catch is CancellationError {
                // The user cancelled, so the screen stays unchanged.
            } catch {
                problem = "The note was not sent."
            }
        }

        func cancelPressed() {
            actions.cancel(self, note)
        }

        func close() {
            isClosed = true
        }
    }
}

extension Notes {
    @MainActor @Test static func `the assembly supplies the actions of a screen`() async throws {
        let addressBook = AddressBook(answer: "Ada")
        let post = Post()
        let screen = NoteScreen(
            actions: (
                addRecipient: { _, note in note.addressed(to: try await addressBook.choose()) },
                finish: { screen, note in
                    try await post.send(note)
                    screen.close()
                },
                cancel: { screen, _ in screen.close() }
            )
        )
        try await screen.addRecipientPressed()
        await screen.finishPressed()
        #expect(post.sent == [Note(recipients: ["Ada"])])
        #expect(screen.isClosed)
    }

    @MainActor @Test static func `an assembly can replace and observe the cancel action`() {
        var drafts: [Note] = []
        var journal: [String] = []
        let cancel: Action<NoteScreen, Note, Void>.Sync = { screen, note in
            drafts.append(note)
            screen.close()
        }
        let observed = Action.observed(cancel) { _, end in
            if end == nil { journal.append("cancel") }
        }
        let screen = NoteScreen(actions: ({ _, note in note }, { _, _ in }, observed))
        screen.cancelPressed()
        #expect(drafts == [Note()])
        #expect(screen.isClosed)
        #expect(journal == ["cancel"])
    }

    @MainActor @Test(.rule("P2", "P3"))
    static func `a struct of actions has defaults, and a question has three answers`() async throws {
        @MainActor final class Gallery {
            var texts: [String] = []
            func add(_ text: String) async throws { texts.append(text) }
        }
        let gallery = Gallery()
        let screen = SketchScreen(actions: SketchScreen.Actions(finish: { _, text in try await gallery.add(text) }))
        screen.write("sea")
        try await screen.discardPressed()
        #expect(screen.isClosed && screen.text.isEmpty)

        for answer in [Result<Bool, any Error>.success(false), .failure(CancellationError())] {
            let asking = SketchScreen(
                actions: SketchScreen.Actions(
                    finish: { _, text in try await gallery.add(text) },
                    confirmDiscard: { _, _ in try answer.get() }
                )
            )
            asking.write("sea")
            try? await asking.discardPressed()
            #expect(asking.text == "sea" && !asking.isClosed)
            #expect(gallery.texts == ["sea"])
        }
    }

    @MainActor @Test static func `a test passes actions that record their calls`() async throws {
        var performed: [String] = []
        let screen = NoteScreen(
            actions: (
                addRecipient: { _, note in
                    performed.append("addRecipient")
                    return note
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
