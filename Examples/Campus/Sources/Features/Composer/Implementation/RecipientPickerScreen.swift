import BackplaneFeatures
import CampusModels
import Observation
import Screens

/// What the recipient picker's dialog tells its board.
protocol RecipientPickerDelegate: AnyObject {
    /// Exactly these are to be the recipients.
    func choose(_ contacts: [Contact])
    /// Everything is to stay as it was.
    func cancel()
}

/// The contacts, each with a box to tick.
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
            // By itself, so that one can leave also when the contacts do not come.
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
