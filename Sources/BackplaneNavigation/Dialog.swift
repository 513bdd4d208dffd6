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
        /// The label of the button.
        public let label: String
        /// The answer that the button gives.
        public let answer: Answer
        /// The role of the button.
        public let role: DialogRole

        /// Creates a button with this label, which gives this answer.
        public init(_ label: String, _ answer: Answer, role: DialogRole = .normal) {
            self.label = label
            self.answer = answer
            self.role = role
        }
    }

    /// The question in a few words.
    public let title: String
    /// The information that the user needs to answer.
    public let message: String
    /// The buttons that answer, in the order they are shown.
    public let choices: [Choice]
    /// The label of the button that closes the dialog without an answer; `nil` if there is none.
    public let cancel: String?

    /// Creates a dialog.
    ///
    /// - Parameters:
    ///   - title: the question in a few words.
    ///   - message: the information that the user needs to answer.
    ///   - choices: the buttons that answer, in the order they are shown.
    ///   - cancel: the label of the button that closes the dialog without an answer; `nil` for no
    ///     such button. A dialog without any choice then has a button "OK", so that it can be
    ///     closed.
    public init(_ title: String, message: String = "", choices: [Choice], cancel: String? = "Cancel") {
        self.title = title
        self.message = message
        self.choices = choices
        self.cancel = cancel
    }
}

extension Dialog: Sendable where Answer: Sendable {}
extension Dialog.Choice: Sendable where Answer: Sendable {}

/// A role of a button in a dialog, by which a host chooses the look of the button.
public enum DialogRole: Hashable, Sendable {
    /// A button without a special role.
    case normal
    /// A button that deletes something.
    case destructive
    /// A button that looks like the way out. As the role of a choice it changes the look only: the
    /// choice still answers.
    case cancel
}
