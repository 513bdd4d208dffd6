import Screens

extension Question {
    /// Asked when a message with a text is given up.
    static let discard = Question(
        "Discard the message?",
        message: "What you have written is not sent, and not kept.",
        accept: "Discard",
        dismiss: "Keep editing"
    )
}
