/// Who has asked a question.
public protocol QuestionDelegate: AnyObject {
    /// The person has answered; nil if they would rather not.
    func answer(_ answer: Question.Answer?)
}

/// A question with a button for each way to answer it, to be presented as a dialog.
public final class QuestionScreen: Screen {
    struct Model: Sendable {
        let message: String
        let accept: String
        let reject: String?
        let dismiss: String
    }

    private let question: Question

    /// Where the dialog is found; who comes there when nobody asks is to be led to what it would have been about.
    public let path: String

    /// Who has asked.
    public weak var delegate: (any QuestionDelegate)?

    /// The dialog for a question.
    public init(_ question: Question, path: String) {
        self.question = question
        self.path = path
    }

    /// The question.
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

    /// Answers, or leaves the question unanswered.
    public func handle(_ event: ScreenEvent) {
        switch event.name {
        case "accept": delegate?.answer(.accepted)
        case "reject": delegate?.answer(.rejected)
        case "dismiss": delegate?.answer(nil)
        default: break
        }
    }
}
