import BackplaneNavigation

/// A dialog as text, with its title and message, and the buttons with the names of their events.
struct DialogText: CustomStringConvertible {
    private let dialog: PresentedDialog

    init(_ dialog: PresentedDialog) {
        self.dialog = dialog
    }

    /// The name of the event that chooses a button: `keep-editing` for "Keep editing".
    static func name(of button: PresentedDialog.Button) -> String {
        button.label.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }

    var description: String {
        let heading = "\(dialog.title)  (a dialog)".withoutControlCharacters
        let buttons = dialog.buttons.map { "  \(Self.name(of: $0)): \($0.label.withoutControlCharacters)" }
        let message = dialog.message.isEmpty ? [] : ["  " + dialog.message.withoutControlCharacters]
        return ([heading, String(repeating: "=", count: heading.count)] + message + buttons).joined(separator: "\n")
    }
}
