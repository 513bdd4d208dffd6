import BackplaneNavigation

/// The user's decision about a message that is not sent.
enum DraftDecision {
    case keep, discard
}

extension Dialog<DraftDecision> {
    /// The question when the user cancels a message that has text.
    static var keepDraft: Self {
        Dialog(
            "Keep the message as a draft?",
            message: "Your next message starts with the draft.",
            choices: [.init("Save", .keep), .init("Discard", .discard, role: .destructive)],
            cancel: "Keep editing"
        )
    }
}
