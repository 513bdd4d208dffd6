import Screens

extension Question {
    /// The question when the user cancels a message that has text.
    static let keepDraft = Question(
        "Keep the message as a draft?",
        message: "Your next message starts with the draft.",
        accept: "Save",
        reject: "Discard",
        dismiss: "Keep editing"
    )
}
