import BackplaneFeatures
import CampusModels
public import ComposerModels
import Screens
public import TerminalHost

/// The recipient picker in a terminal.
public struct RecipientPickerTerminalFace: TerminalFace {
    /// Creates the face.
    public init() {}

    /// The title of the picker.
    public func title(of picker: RecipientPickerModel) -> String { "Recipients" }

    /// The contacts, each with the name of its argument.
    public func sections(of picker: RecipientPickerModel) -> [TextSection] {
        [
            TextSection("contacts", picker.contacts) { contacts in
                let lines = contacts.map { "  - " + Self.line(of: $0, in: picker) }
                return lines.isEmpty ? ["contacts: none"] : ["contacts:"] + lines
            }
        ]
    }

    private static func line(of contact: Contact, in picker: RecipientPickerModel) -> String {
        let mark = picker.chosen.contains(contact.id) ? "chosen" : ""
        return TextSection.row([RecipientPickerModel.field(of: contact.id), contact.name, contact.role.rawValue, mark])
    }
}
