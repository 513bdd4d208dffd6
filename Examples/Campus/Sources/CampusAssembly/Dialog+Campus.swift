import BackplaneNavigation

/// The user's decision about something that is not sent, before the user leaves it.
enum KeepDecision {
    /// It is kept for later.
    case accepted
    /// It is discarded.
    case rejected
    /// The user does not leave.
    case cancelled
}

extension Dialog<KeepDecision> {
    /// The question when the user cancels a message that has text.
    static var keepDraft: Self {
        Dialog(
            "Keep the message as a draft?",
            message: "Your next message starts with the draft.",
            choices: [
                .init("Save", .accepted), .init("Discard", .rejected, role: .destructive),
                .init("Keep editing", .cancelled, role: .cancel),
            ],
            cancel: nil
        )
    }

    /// The question when the user signs out, and the server does not have all changes.
    static var keepUnsent: Self {
        Dialog(
            "Keep your changes that were not sent?",
            message: "The campus server does not have all of your changes yet.",
            choices: [
                .init("Keep for the next sign-in", .accepted), .init("Discard", .rejected, role: .destructive),
                .init("Cancel", .cancelled, role: .cancel),
            ],
            cancel: nil
        )
    }
}
