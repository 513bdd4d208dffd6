public import BackplaneNavigation
public import CampusModels

/// The composer as its actions see it: they use it to ask the writer and to close the composer.
///
/// It lives on the window's actor, like the screen. A method throws `CancellationError` if the
/// writer leaves without a decision. An action passes this error on, and the screen stays
/// unchanged.
public protocol ComposerContext: AnyObject {
    /// Lets the writer choose among their contacts.
    ///
    /// - Parameter chosen: the current recipients.
    /// - Returns: the new recipients.
    /// - Throws: `CancellationError` if the writer does not choose.
    func chooseRecipients(insteadOf chosen: [Contact]) async throws -> [Contact]

    /// Asks the writer a question, in a dialog over the message.
    ///
    /// - Parameter dialog: the question.
    /// - Returns: the writer's answer.
    /// - Throws: `CancellationError` if the writer does not answer.
    func ask<Answer>(_ dialog: Dialog<Answer>) async throws -> Answer

    /// Closes the composer and cancels all work that is running there.
    ///
    /// - Parameter message: the ID of the sent message; `nil` if no message was sent.
    func close(sent message: Message.ID?)
}

extension ComposerContext {
    /// Closes the composer without a sent message.
    public func close() {
        close(sent: nil)
    }
}
