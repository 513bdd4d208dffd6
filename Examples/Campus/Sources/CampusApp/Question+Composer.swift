import Screens

extension Question {
    /// Asked when a message with a text is given up.
    static let keepDraft = Question(
        "Keep the message as a draft?",
        message: "What you write next begins with the draft.",
        accept: "Save",
        reject: "Discard",
        dismiss: "Keep editing"
    )
}
