import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusModels
import ComposerModels
import Screens

/// A choice among the user's contacts; use `result(of:with:)` to wait for it.
enum RecipientPicker: BoardContract {
    /// The contacts that are already chosen.
    typealias Input = [Contact.ID]
    /// The contacts that are chosen now; a cancelled picker completes without an output.
    typealias Output = [Contact]
}

/// A board that shows the contacts in a sheet.
final class RecipientPickerBoard: Board {
    let slot: Slot<RecipientPicker>
    private let navigator: ScreenNavigator
    private let loadContacts: () async throws -> [Contact]

    init(
        slot: Slot<RecipientPicker>,
        navigator: ScreenNavigator,
        loadContacts: @escaping () async throws -> [Contact]
    ) {
        self.slot = slot
        self.navigator = navigator
        self.loadContacts = loadContacts
    }

    func activate(with chosen: [Contact.ID]) {
        let screen = RecipientPickerModel(chosen: Set(chosen), loadContacts: loadContacts)
        screen.delegate = self
        screen.contacts.load(on: slot.owner)
        pair(with: navigator.present(screen))
    }
}

extension RecipientPickerBoard: RecipientPickerDelegate {
    func choose(_ contacts: [Contact]) {
        complete(sending: contacts)
    }

    func cancel() {
        complete(.cancelled)
    }
}
