/// A question that is put to the person, who may also leave it unanswered.
public struct Question: Hashable, Sendable {
    /// What the person has said.
    public enum Answer: Hashable, Sendable {
        case accepted, rejected
    }

    /// The question in a few words, such as `Discard the message?`.
    public let title: String

    /// What the person should know before they answer.
    public let message: String

    /// What the button says that accepts: `Discard`.
    public let accept: String

    /// What the button says that rejects; nil where there is only one answer.
    public let reject: String?

    /// What the button says that leaves the question unanswered, and everything as it is: `Keep editing`.
    public let dismiss: String

    /// A question.
    ///
    /// - Parameters:
    ///   - title: the question in a few words.
    ///   - message: what the person should know before they answer.
    ///   - accept: what the button says that accepts.
    ///   - reject: what the button says that rejects; nil where there is only one answer.
    ///   - dismiss: what the button says that leaves everything as it is.
    public init(_ title: String, message: String, accept: String, reject: String? = nil, dismiss: String) {
        self.title = title
        self.message = message
        self.accept = accept
        self.reject = reject
        self.dismiss = dismiss
    }
}
