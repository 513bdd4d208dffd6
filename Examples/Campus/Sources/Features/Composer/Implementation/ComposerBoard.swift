import Backplane
import CampusModels
import ComposerInterface
import Screens

/// A small flow of its own: the recipient picker lives on this board's motherboard, where nobody else knows it.
///
/// The board completes itself when the message is sent or given up; a screen that leaves in another way ends it too.
final class ComposerBoard: Board {
    let slot: Slot<Composer>
    private let navigation: Navigation
    private let sendMessage: (NewMessage) async throws -> Message.ID
    private let screen = ComposerScreen()

    init(
        slot: Slot<Composer>,
        navigation: Navigation,
        loadContacts: @escaping () async throws -> [Contact],
        sendMessage: @escaping (NewMessage) async throws -> Message.ID
    ) {
        self.slot = slot
        self.navigation = navigation
        self.sendMessage = sendMessage
        screen.delegate = self
        slot.motherboard.register(.recipientPicker) { slot in
            RecipientPickerBoard(slot: slot, navigation: navigation, loadContacts: loadContacts)
        }
    }

    func activate(with input: Void) {
        pair(with: navigation.push(screen))
    }

    private func end(_ completion: Completion, sending output: Composer.Output) {
        complete(completion, sending: output)
        navigation.dismiss(screen)
    }
}

extension ComposerBoard: ComposerDelegate {
    func addRecipients() {
        task {
            let chosen = self.screen.recipients
            // A picker that gives no answer, for whatever reason, leaves everything as it was.
            let answer = try? await self.motherboard.result(of: .recipientPicker, with: chosen.map(\.id))
            self.screen.choose(answer ?? chosen)
        }
    }

    func finish(_ message: NewMessage) {
        task {
            do {
                self.end(.done, sending: .sent(try await self.sendMessage(message)))
            } catch {
                self.screen.show(error)
            }
        }
    }

    func cancel() {
        end(.cancelled, sending: .cancelled)
    }
}
