/// A question to the user, who can also dismiss it.
public struct Question: Hashable, Sendable {
    /// The user's answer.
    public enum Answer: Hashable, Sendable {
        case accepted, rejected
    }

    /// The question in a few words, such as `Discard the message?`.
    public let title: String

    /// The information that the user needs to answer.
    public let message: String

    /// The label of the button that accepts, such as `Discard`.
    public let accept: String

    /// The label of the button that rejects; `nil` if the user can only accept or dismiss.
    public let reject: String?

    /// The label of the button that dismisses the question without an answer, such as `Keep
    /// editing`.
    public let dismiss: String

    /// Creates a question.
    ///
    /// - Parameters:
    ///   - title: the question in a few words.
    ///   - message: the information that the user needs to answer.
    ///   - accept: the label of the button that accepts.
    ///   - reject: the label of the button that rejects; `nil` if the user can only accept or
    ///     dismiss.
    ///   - dismiss: the label of the button that dismisses the question.
    public init(_ title: String, message: String, accept: String, reject: String? = nil, dismiss: String) {
        self.title = title
        self.message = message
        self.accept = accept
        self.reject = reject
        self.dismiss = dismiss
    }
}
