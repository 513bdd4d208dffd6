import BackplaneFeatures
import CampusModels
import Observation
import Screens

/// The board of the recipient picker's screen.
protocol RecipientPickerDelegate: AnyObject {
    /// Replaces the recipients with exactly these contacts.
    func choose(_ contacts: [Contact])
    /// Closes the picker without a change.
    func cancel()
}

/// A dialog with a check box for each contact.
@Observable
final class RecipientPickerScreen: Screen {
    struct Model: Sendable {
        let contacts: [ContactModel]
    }

    struct ContactModel: Sendable {
        let field: String
        let name: String
        let role: String
        let isChosen: Bool
    }

    let title = "Recipients"
    let path = "/compose/recipients"
    @ObservationIgnored weak var delegate: (any RecipientPickerDelegate)?
    private let chosen: Set<Contact.ID>
    private let contacts: Loader<Sole, [Contact]>

    init(chosen: Set<Contact.ID>, loadContacts: @escaping () async throws -> [Contact]) {
        self.chosen = chosen
        contacts = Loader(loadContacts)
    }

    var isBusy: Bool { contacts.state.isLoading }

    var sections: [Section] {
        let chosen = chosen
        return [
            Section(id: "contacts", template: "composer/contacts", loader: contacts) { contacts in
                Model(
                    contacts: contacts.map {
                        ContactModel(
                            field: Self.field(of: $0),
                            name: $0.name,
                            role: $0.role.rawValue,
                            isChosen: chosen.contains($0.id)
                        )
                    }
                )
            },
            // This is a separate section, so that the user can leave even if the contacts fail to
            // load.
            Section(id: "cancel", template: "composer/cancel") { true },
        ]
    }

    func load(on owner: any Actor) {
        contacts.load(.sole, on: owner)
    }

    func handle(_ event: ScreenEvent) {
        switch event.name {
        case "choose": delegate?.choose((contacts.value ?? []).filter { event.isOn(Self.field(of: $0)) })
        case "cancel": delegate?.cancel()
        case "retry": contacts.retry()
        default: break
        }
    }

    private static func field(of contact: Contact) -> String { "contact-\(contact.id)" }
}
