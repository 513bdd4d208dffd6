public import CampusModels
public import Screens

/// What the composer's actions may do to the place where they are performed.
///
/// It lives on the window's actor, as the screen does. Where the writer leaves without an answer, it throws
/// `CancellationError`, which an action lets pass: the screen then stays as it was.
public protocol ComposerContext: AnyObject {
    /// Lets the writer choose among their contacts.
    ///
    /// - Parameter chosen: whom the message is for now.
    /// - Returns: whom it is for from then on.
    /// - Throws: `CancellationError`.
    func chooseRecipients(insteadOf chosen: [Contact]) async throws -> [Contact]

    /// Asks the writer a question, over the message.
    ///
    /// - Parameter question: the question.
    /// - Returns: which of its answers the writer has given.
    /// - Throws: `CancellationError`.
    func ask(_ question: Question) async throws -> Question.Answer

    /// Closes the composer, and ends whatever is done there.
    ///
    /// - Parameter message: what was sent, if it was.
    func close(sent message: Message.ID?)
}

extension ComposerContext {
    /// Closes the composer, from which nothing was sent.
    public func close() {
        close(sent: nil)
    }
}
