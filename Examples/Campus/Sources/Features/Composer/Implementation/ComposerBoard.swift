import Backplane
import CampusModels
import ComposerInterface
import Screens

/// A board with its own small flow, whose recipient picker and questions are private.
///
/// The picker and the questions are registered on this board's nested motherboard, so no other
/// board can activate them.
///
/// The board performs the screen's actions. It completes when an action closes the composer, or
/// when its screen closes in another way.
final class ComposerBoard: Board {
    let slot: Slot<Composer>
    private let navigation: Navigation
    private let loadDraft: () async throws -> Draft
    private let screen: ComposerScreen

    init(
        slot: Slot<Composer>,
        navigation: Navigation,
        loadContacts: @escaping () async throws -> [Contact],
        loadDraft: @escaping () async throws -> Draft,
        actions: ComposerScreen.Actions
    ) {
        self.slot = slot
        self.navigation = navigation
        self.loadDraft = loadDraft
        screen = ComposerScreen(actions: actions)
        screen.delegate = self
        slot.inner.register(.recipientPicker) { slot in
            RecipientPickerBoard(slot: slot, navigation: navigation, loadContacts: loadContacts)
        }
        slot.inner.register(.question) { slot in QuestionBoard(slot: slot, navigation: navigation) }
    }

    func activate(with text: String) {
        pair(with: navigation.push(screen))
        task { await self.screen.open { text.isEmpty ? try await self.loadDraft() : Draft(text: text) } }
    }

    func didEnd(_ completion: Completion) {
        navigation.dismiss(screen)
    }

    /// Returns the result of a dialog.
    ///
    /// Throws `CancellationError` if the user dismisses the dialog, or leaves the log-in in front
    /// of it.
    private func answer<Contract>(of id: BoardID<Contract>, to input: Contract.Input) async throws -> Contract.Output {
        do {
            return try await inner.result(of: id, with: input)
        } catch let error as BoardError where error.code == .denied {
            throw CancellationError()
        }
    }
}

extension ComposerBoard: ComposerDelegate {
    func perform(_ work: @escaping () async -> Void) {
        task(work)
    }

    func chooseRecipients(insteadOf chosen: [Contact]) async throws -> [Contact] {
        try await answer(of: .recipientPicker, to: chosen.map(\.id))
    }

    func ask(_ question: Question) async throws -> Question.Answer {
        try await answer(of: .question, to: question)
    }

    func close(sent message: Message.ID?) {
        if let message {
            complete(.done, sending: .sent(message))
        } else {
            complete(.cancelled, sending: .cancelled)
        }
    }
}
