import Backplane
import CampusModels
import ComposerInterface
import Screens

/// A small flow of its own: the recipient picker and the questions live on this board's motherboard, where nobody else knows
/// them.
///
/// It is where the screen's actions are performed, and completes itself when one of them closes it; a screen that leaves in
/// another way ends it too.
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

    /// Returns the answer of a dialog.
    ///
    /// Throws `CancellationError` if the dialog was dismissed, or is behind a login that was left.
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
