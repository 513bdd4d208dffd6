import BackplaneFeatures
import CampusModels
public import ComposerModels
import Screens
public import WebHost

/// The recipient picker in a browser, with a check box for each contact.
public struct RecipientPickerWebFace: WebFace {
    struct Contacts: Sendable {
        let contacts: [ContactModel]
    }

    struct ContactModel: Sendable {
        let field: String
        let name: String
        let role: String
        let isChosen: Bool
    }

    /// The templates of the contacts and of the button that closes the picker.
    public let templates = [
        "composer/contacts": WebTemplate(PackageResources.contacts_mustache),
        "composer/cancel": WebTemplate(PackageResources.cancel_mustache),
    ]

    /// Creates the face.
    public init() {}

    /// The title of the picker.
    public func title(of picker: RecipientPickerModel) -> String { "Recipients" }

    /// The contacts, and the button that closes the picker.
    public func sections(of picker: RecipientPickerModel) -> [Section] {
        [
            Section(id: "contacts", template: "composer/contacts", loader: picker.contacts) { contacts in
                Contacts(
                    contacts: contacts.map {
                        ContactModel(
                            field: RecipientPickerModel.field(of: $0.id),
                            name: $0.name,
                            role: $0.role.rawValue,
                            isChosen: picker.chosen.contains($0.id)
                        )
                    }
                )
            },
            // This is a separate section, so that the user can leave even if the contacts fail to
            // load.
            Section(id: "cancel", template: "composer/cancel") { true },
        ]
    }
}
