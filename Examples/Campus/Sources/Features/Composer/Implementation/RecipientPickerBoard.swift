import Backplane
import CampusModels
import Screens

/// Lets somebody choose among their contacts: a question, whose answer is awaited with `result(of:with:)`.
enum RecipientPicker: BoardContract {
    /// Who is chosen already.
    typealias Input = [Contact.ID]
    /// Who is chosen now; a picker that is left without choosing completes and says nothing.
    typealias Output = [Contact]
}

extension BoardID<RecipientPicker> {
    static var recipientPicker: Self { "recipientPicker" }
}

/// Asks in a dialog.
final class RecipientPickerBoard: Board {
    let slot: Slot<RecipientPicker>
    private let navigation: Navigation
    private let loadContacts: () async throws -> [Contact]
    private var screen: RecipientPickerScreen?

    init(
        slot: Slot<RecipientPicker>,
        navigation: Navigation,
        loadContacts: @escaping () async throws -> [Contact]
    ) {
        self.slot = slot
        self.navigation = navigation
        self.loadContacts = loadContacts
    }

    func activate(with chosen: [Contact.ID]) {
        let screen = RecipientPickerScreen(chosen: Set(chosen), loadContacts: loadContacts)
        screen.delegate = self
        screen.load(on: slot.owner)
        self.screen = screen
        pair(with: navigation.present(screen))
    }

    /// The dialog leaves, also when the composer ends with the picker open.
    func didEnd(_ completion: Completion) {
        if let screen { navigation.dismiss(screen) }
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
