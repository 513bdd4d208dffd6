/// The object that asked a question and receives the answer.
public protocol QuestionDelegate: AnyObject {
    /// Receives the user's answer; `nil` if the user dismissed the question.
    func answer(_ answer: Question.Answer?)
}

/// A question with one button for each answer; present it as a dialog.
public final class QuestionScreen: Screen {
    struct Model: Sendable {
        let message: String
        let accept: String
        let reject: String?
        let dismiss: String
    }

    private let question: Question

    /// The deep link of the dialog.
    ///
    /// If this link is opened while no question is open, it should lead to the subject of the
    /// question.
    public let path: String

    /// The object that asked the question.
    public weak var delegate: (any QuestionDelegate)?

    /// Creates the dialog of a question.
    public init(_ question: Question, path: String) {
        self.question = question
        self.path = path
    }

    /// The text of the question.
    public var title: String { question.title }

    /// One section, with the template `question`.
    public var sections: [Section] {
        [
            Section(id: "question", template: "question") { [question] in
                Model(
                    message: question.message,
                    accept: question.accept,
                    reject: question.reject,
                    dismiss: question.dismiss
                )
            }
        ]
    }

    /// Sends the answer to the delegate; the event `dismiss` sends `nil`.
    public func handle(_ event: ScreenEvent) {
        switch event.name {
        case "accept": delegate?.answer(.accepted)
        case "reject": delegate?.answer(.rejected)
        case "dismiss": delegate?.answer(nil)
        default: break
        }
    }
}
