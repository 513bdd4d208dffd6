import BackplaneNavigation

/// The user's decision about something that is not sent.
enum KeepDecision {
    case keep, discard
}

extension Dialog<KeepDecision> {
    /// The question when the user cancels a message that has text.
    static var keepDraft: Self {
        Dialog(
            "Keep the message as a draft?",
            message: "Your next message starts with the draft.",
            choices: [.init("Save", .keep), .init("Discard", .discard, role: .destructive)],
            cancel: "Keep editing"
        )
    }

    /// The question when the user signs out, and the server does not have all changes.
    static var keepUnsent: Self {
        Dialog(
            "Keep your changes that were not sent?",
            message: "The campus server does not have all of your changes yet.",
            choices: [.init("Keep for the next sign-in", .keep), .init("Discard", .discard, role: .destructive)]
        )
    }
}
