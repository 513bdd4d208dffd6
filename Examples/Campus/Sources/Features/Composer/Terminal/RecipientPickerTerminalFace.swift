import BackplaneFeatures
import CampusModels
public import ComposerModels
public import Screens
public import TerminalHost

/// The recipient picker in a terminal.
public struct RecipientPickerTerminalFace: TerminalFace {
    /// The commands of the picker.
    public enum Command: String, CaseIterable {
        /// Takes an argument `contact-<id>` for each contact to choose.
        case choose
        case cancel
        case retry
    }

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

    /// Performs the command.
    public func handle(_ command: Command, _ arguments: EventFields, on picker: RecipientPickerModel) {
        switch command {
        case .choose:
            let ids = (picker.contacts.value ?? []).map(\.id)
            picker.choose(Set(ids.filter { arguments.isOn(RecipientPickerModel.field(of: $0)) }))
        case .cancel: picker.cancel()
        case .retry: picker.retry()
        }
    }

    private static func line(of contact: Contact, in picker: RecipientPickerModel) -> String {
        let mark = picker.chosen.contains(contact.id) ? "chosen" : ""
        return TextSection.row([RecipientPickerModel.field(of: contact.id), contact.name, contact.role.rawValue, mark])
    }
}
