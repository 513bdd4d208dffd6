/// A question to the user with a choice of answers, for ``Navigator/ask(_:)``.
///
/// ```swift
/// enum Draft { case save, discard }
///
/// let dialog = Dialog<Draft>(
///     "Keep the message?",
///     message: "You can continue to write it later.",
///     choices: [.init("Keep", .save), .init("Discard", .discard, role: .destructive)],
///     cancel: "Keep editing"
/// )
/// ```
public struct Dialog<Answer> {
    /// A button that answers the dialog.
    public struct Choice {
        let label: String
        let answer: Answer
        let role: DialogRole

        /// Creates a button that gives this answer, with this label.
        public init(_ label: String, _ answer: Answer, role: DialogRole = .normal) {
            self.label = label
            self.answer = answer
            self.role = role
        }
    }

    let title: String
    let message: String
    let choices: [Choice]
    let cancel: String?
    let style: DialogStyle

    /// Creates a dialog.
    ///
    /// - Parameters:
    ///   - title: the question in a few words.
    ///   - message: the information that the user needs to answer.
    ///   - choices: the buttons that answer, in the order they are shown.
    ///   - cancel: the label of the button that closes the dialog without an answer; `nil` for no
    ///     such button. A dialog without any choice then has a button "OK", so that it can be
    ///     closed. A list of actions can be closed in any case: SwiftUI adds a button of its own,
    ///     and on a tablet the user taps beside the list. The question then throws
    ///     `CancellationError`.
    ///   - style: how the dialog is shown.
    public init(
        _ title: String,
        message: String = "",
        choices: [Choice],
        cancel: String? = "Cancel",
        style: DialogStyle = .alert
    ) {
        self.title = title
        self.message = message
        self.choices = choices
        self.cancel = cancel
        self.style = style
    }
}

extension Dialog: Sendable where Answer: Sendable {}
extension Dialog.Choice: Sendable where Answer: Sendable {}

/// How a dialog is shown.
///
/// A style changes only the look. If a host does not have the look, it shows its usual dialog.
public enum DialogStyle: Hashable, Sendable {
    /// A question in the middle of the window.
    case alert
    /// A list of actions; on a phone, it is at the lower edge.
    ///
    /// Use it to confirm something that the user has just chosen, or to offer several actions.
    case actionSheet
}

/// A role of a button in a dialog; a host chooses the look of the button by its role.
public enum DialogRole: Hashable, Sendable {
    /// A button without a special role.
    case normal
    /// A button that deletes something.
    case destructive
    /// A button that looks as if it closes the dialog.
    ///
    /// If a choice has this role, only its look changes: the choice still answers.
    case cancel
}
