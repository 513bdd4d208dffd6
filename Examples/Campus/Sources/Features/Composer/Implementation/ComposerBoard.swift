import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusModels
import ComposerInterface
import ComposerModels
import DashboardInterface
import Screens

/// A board with its own small flow, whose recipient picker is private.
///
/// The picker is registered on this board's nested motherboard, so no other board can activate it.
///
/// The board performs the screen's actions. It completes when an action closes the composer, or
/// when its screen closes in another way.
final class ComposerBoard: Board {
    let slot: Slot<Composer>
    private let module: ComposerModule
    private let screen: ComposerModel

    init(slot: Slot<Composer>, module: ComposerModule) {
        self.slot = slot
        self.module = module
        // The composer closes with its board, and so does an action that is running.
        screen = ComposerModel(actions: module.actions, performer: ActionPerformer(startTask: slot.task))
        screen.context = self
        slot.inner.register { slot in
            RecipientPickerBoard(slot: slot, navigator: module.navigator, loadContacts: module.loadContacts)
        }
    }

    func activate(with text: String) {
        pair(with: module.navigator.push(screen))
        task { await self.screen.open { text.isEmpty ? try await self.module.loadDraft() : Draft(text: text) } }
    }
}

extension ComposerBoard: ComposerContext {
    func chooseRecipients(insteadOf chosen: [Contact]) async throws -> [Contact] {
        do {
            return try await inner.result(of: RecipientPicker.id, with: chosen.map(\.id))
        } catch let error as BoardError where error.code == .denied {
            // The writer left the sign-in in front of the picker.
            throw CancellationError()
        }
    }

    func ask<Answer>(_ dialog: Dialog<Answer>) async throws -> Answer {
        try await module.navigator.ask(dialog)
    }

    func close(sent message: Message.ID?) {
        if let message {
            // The list of messages there may not share its store with the composer.
            send(.refresh, to: Dashboard.id)
            complete(.done, sending: .sent(message))
        } else {
            complete(.cancelled, sending: .cancelled)
        }
    }
}
